/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** Get of a value, and get followed by update, uniformly random keys. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 3, jvmArgsAppend = "-Xmx4g")
@Warmup(iterations = 3, time = 5)
@Measurement(iterations = 5, time = 5)
public class ValueStateBenchmark {

    /** The loaded state. */
    public static class Values extends BenchmarkState {

        /** Called by JMH. */
        public Values() {
            super(Access.Kind.VALUE);
        }
    }

    @Benchmark
    public int get(Values state) throws Exception {
        return state.workload().read();
    }

    @Benchmark
    public int getAndUpdate(Values state) throws Exception {
        return state.workload().write();
    }
}
