/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VerdictTest {

    private static final ResultLines RIGHT = ResultLines.of(List.of("b|2", "a|1", "c|3"));

    @Test
    void equalResultsInAnotherOrderAreGood() {
        ResultLines shuffled = ResultLines.of(List.of("c|3", "b|2", "a|1"));

        assertThat(Verdict.on(List.of(report("x", RIGHT, 1), report("y", shuffled, 1))).problems())
                .isEmpty();
        assertThat(shuffled.digest()).isEqualTo(RIGHT.digest());
    }

    @Test
    void tellsAChangedRecord() {
        assertThat(problems(ResultLines.of(List.of("a|1", "b|5", "c|3"))))
                .containsExactly("x and y differ:", "only x: b|2", "only y: b|5");
    }

    @Test
    void tellsALostRecord() {
        assertThat(problems(ResultLines.of(List.of("a|1", "b|2"))))
                .containsExactly("x and y differ:", "only x: c|3");
    }

    @Test
    void tellsARecordWrittenTwice() {
        assertThat(problems(ResultLines.of(List.of("a|1", "b|2", "b|2", "c|3"))))
                .containsExactly("x and y differ:", "only y: b|2");
    }

    @Test
    void stopsAfterSomeDifferences() {
        List<String> found = RIGHT.differences("x", ResultLines.of(List.of("d", "e", "f")), "y", 4);

        assertThat(found).containsExactly("only x: a|1", "only x: b|2", "only x: c|3", "only y: d");
    }

    @Test
    void aRunThatDidNotFailAndRecoverIsNotGood() {
        assertThat(Verdict.on(List.of(report("x", RIGHT, 0))).problems())
                .singleElement()
                .asString()
                .contains("x: expected 1 restart");
    }

    @Test
    void theTableShowsEveryRun() {
        String table =
                ReportTable.format(
                        List.of(
                                report("hashmap", RIGHT, 1),
                                new RunReport(
                                        "strata",
                                        1_000_000,
                                        Duration.ofSeconds(2),
                                        7,
                                        3 << 20,
                                        Optional.of(new Tiers(1_000, 2_048, 30_000, 40 << 20)),
                                        1,
                                        RIGHT)));

        assertThat(table.lines().map(line -> line.trim().split(" {2,}")))
                .containsExactly(
                        new String[] {
                            "backend",
                            "records/s",
                            "checkpoints",
                            "bytes/checkpoint",
                            "hot entries",
                            "hot bytes",
                            "cold records",
                            "cold bytes",
                            "restarts",
                            "results",
                            "digest"
                        },
                        new String[] {
                            "hashmap",
                            "10",
                            "3",
                            "1.0 KiB",
                            "–",
                            "–",
                            "–",
                            "–",
                            "1",
                            "3",
                            RIGHT.digest()
                        },
                        new String[] {
                            "strata",
                            "500,000",
                            "7",
                            "3.0 MiB",
                            "1,000",
                            "2.0 KiB",
                            "30,000",
                            "40.0 MiB",
                            "1",
                            "3",
                            RIGHT.digest()
                        });
    }

    private static List<String> problems(ResultLines wrong) {
        return Verdict.on(List.of(report("x", RIGHT, 1), report("y", wrong, 1))).problems();
    }

    private static RunReport report(String backend, ResultLines results, long restarts) {
        return new RunReport(
                backend, 10, Duration.ofSeconds(1), 3, 1024, Optional.empty(), restarts, results);
    }
}
