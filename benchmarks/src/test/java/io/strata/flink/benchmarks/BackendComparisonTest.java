/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackendComparisonTest {

    private static final List<MeasuredBackend> BACKENDS =
            List.of(MeasuredBackend.HASHMAP, MeasuredBackend.ROCKSDB, MeasuredBackend.STRATA);

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

    @Test
    void comparesEveryAccessOnceTiny() throws Exception {
        String backends =
                BACKENDS.stream().map(MeasuredBackend::label).collect(Collectors.joining(","));
        String accesses =
                Stream.of(Access.values()).map(Access::label).collect(Collectors.joining(","));

        ComparisonTable table =
                BackendComparison.compare(
                        out,
                        ("--backends " + backends + " --access " + accesses)
                                .concat(" --keys 1000 --ops 1000 --rounds 2 --warmup 1")
                                .concat(" --checkpoint-millis 20 --heap-mib 512 --managed-mib 64")
                                .concat(" --hot-mib 1")
                                .split(" "));

        for (Access access : Access.values()) {
            for (MeasuredBackend backend : BACKENDS) {
                assertThat(table.median(access, backend)).isPositive();
            }
        }
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("value-update   rocksdb")
                .contains("list-append    hashmap")
                .doesNotContain(": 0 checkpoints");
    }

    @Test
    void ratiosAreThoseOfNeighbouringRounds() {
        ComparisonTable table =
                new ComparisonTable(List.of(MeasuredBackend.HASHMAP, MeasuredBackend.STRATA));
        double[] hashmap = {100, 300, 200};
        double[] strata = {1000, 6000, 2000};
        for (int round = 0; round < hashmap.length; round++) {
            table.add(Access.VALUE_GET, MeasuredBackend.HASHMAP, hashmap[round]);
            table.add(Access.VALUE_GET, MeasuredBackend.STRATA, strata[round]);
        }

        assertThat(table.median(Access.VALUE_GET, MeasuredBackend.STRATA)).isEqualTo(2000);
        assertThat(table.ratio(Access.VALUE_GET, MeasuredBackend.HASHMAP)).isEqualTo(0.1);
        assertThat(table.ratio(Access.VALUE_GET, MeasuredBackend.STRATA)).isEqualTo(1);
        assertThat(table.format().lines()).hasSize(3);
    }

    @Test
    void tellsWrongOptions() {
        assertThatThrownBy(() -> BackendComparison.compare(out, "--nonsense", "1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--nonsense");
        assertThatThrownBy(() -> BackendComparison.compare(out, "--keys"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--keys needs a value");
        assertThatThrownBy(() -> BackendComparison.compare(out, "--keys", "many"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("many");
        assertThatThrownBy(() -> BackendComparison.compare(out, "--access", "get"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("value-get, value-update");
        assertThatThrownBy(() -> BackendComparison.compare(out, "--backends", "forst"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("hashmap, rocksdb or strata");
    }
}
