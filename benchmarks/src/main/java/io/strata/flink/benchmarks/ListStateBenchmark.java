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

/** Reading a whole list, and appending to one, uniformly random keys. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 3, jvmArgsAppend = "-Xmx4g")
@Warmup(iterations = 3, time = 5)
@Measurement(iterations = 5, time = 5)
public class ListStateBenchmark {

    /** The loaded state. */
    public static class Lists extends BenchmarkState {

        /** Called by JMH. */
        public Lists() {
            super(Access.Kind.LIST);
        }
    }

    @Benchmark
    public int get(Lists state) throws Exception {
        return state.workload().read();
    }

    @Benchmark
    public int append(Lists state) throws Exception {
        return state.workload().write();
    }
}
