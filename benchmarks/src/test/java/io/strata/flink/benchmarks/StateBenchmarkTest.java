/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs every JMH benchmark once, tiny, on every backend. */
class StateBenchmarkTest {

    private static final List<String> BACKENDS = List.of("hashmap", "rocksdb", "strata");
    private static final int BENCHMARKS = 6;

    @Test
    void everyBenchmarkRuns() throws RunnerException {
        Options tiny =
                new OptionsBuilder()
                        .include(".*StateBenchmark.*")
                        .param("backend", BACKENDS.toArray(String[]::new))
                        .param("keys", "500")
                        .param("hotMib", "1")
                        .param("managedMib", "64")
                        .param("checkpointMillis", "5")
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(20))
                        .shouldFailOnError(true)
                        .build();

        Collection<RunResult> results = new Runner(tiny).run();

        assertThat(results).hasSize(BENCHMARKS * BACKENDS.size());
        assertThat(results).allMatch(result -> result.getPrimaryResult().getScore() > 0);
    }
}
