/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Estimates that are four times too small do not end in an {@link OutOfMemoryError}: the reports of
 * the garbage collector correct them. The hot tier would take 1.6 times the heap.
 */
class WrongEstimatesTest {

    private static final Pattern SHRINKS = Pattern.compile("shrinks: (\\d+)");

    @TempDir Path local;

    /** Flink's collectors: G1, or Serial on small machines; more in a soak. */
    static List<String> collectors() {
        String more = System.getProperty("strata.test.collectors", "UseG1GC,UseSerialGC");
        return List.of(more.split(",", -1));
    }

    @ParameterizedTest
    @MethodSource("collectors")
    void stateOfThreeTimesTheHeapIsWrittenAndReadBack(String collector) throws Exception {
        ForkedJvm.Result result =
                ForkedJvm.run(
                        local,
                        StateBeyondHeap.class,
                        List.of("-Xmx96m", "-XX:+" + collector, "-XX:TieredStopAtLevel=1"),
                        List.of(local.resolve("state").toString(), "4", "300"));

        assertThat(result.exitCode()).as(result.output()).isZero();
        Matcher shrinks = SHRINKS.matcher(result.output());
        assertThat(shrinks.find()).as(result.output()).isTrue();
        assertThat(Integer.parseInt(shrinks.group(1))).as(result.output()).isPositive();
    }
}
