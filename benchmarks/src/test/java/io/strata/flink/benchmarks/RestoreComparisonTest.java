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
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The comparison of restores, with a state so small that it says nothing about speed. */
class RestoreComparisonTest {

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

    @TempDir private Path directory;

    @Test
    void restoresEveryContenderInEveryWay() throws Exception {
        RestoreTable table =
                RestoreComparison.compare(
                        out,
                        ("--megabytes 2 --value-bytes 200 --gets 500 --rounds 1 --warmup 0")
                                .concat(" --heap-mib 512 --managed-mib 64 --hot-mib 1")
                                .concat(" --directory " + directory)
                                .split(" "));

        for (Rescale rescale : Rescale.values()) {
            for (RestoreContender contender : RestoreContender.values()) {
                RestoreTimes times = table.of(rescale, contender).get(0);
                assertThat(times.openNanos()).isPositive();
                assertThat(times.getsNanos()).isPositive();
                assertThat(times.checkpointBytes()).isGreaterThan(2 << 20);
                assertThat(times.readBytes()).isGreaterThan(1 << 20);
            }
        }
        assertThat(directory).isEmptyDirectory();
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("| 1 to 1 | rocksdb |")
                .contains("| 1 to 2 | rocksdb-ingest |")
                .contains("| 2 to 1 | strata |");
    }

    @Test
    void restoresAChangedType() throws Exception {
        RestoreTable table =
                RestoreComparison.compare(
                        out,
                        ("--megabytes 1 --value-bytes 200 --gets 500 --rounds 1 --warmup 0")
                                .concat(" --heap-mib 512 --managed-mib 64 --hot-mib 1")
                                .concat(" --schema changed --contenders rocksdb,strata")
                                .concat(" --directory " + directory)
                                .split(" "));

        for (Rescale rescale : Rescale.values()) {
            assertThat(table.of(rescale, RestoreContender.STRATA)).hasSize(1);
            assertThat(table.of(rescale, RestoreContender.ROCKSDB)).hasSize(1);
        }
    }

    @Test
    void ratiosAreThoseOfNeighbouringRounds() {
        RestoreTable table =
                new RestoreTable(List.of(RestoreContender.ROCKSDB, RestoreContender.STRATA), 10);
        long[] rocksdb = {300, 100, 800};
        long[] strata = {100, 50, 100};
        for (int round = 0; round < rocksdb.length; round++) {
            table.add(Rescale.IN, RestoreContender.ROCKSDB, times(rocksdb[round]));
            table.add(Rescale.IN, RestoreContender.STRATA, times(strata[round]));
        }

        assertThat(table.ratio(Rescale.IN, RestoreContender.ROCKSDB, RestoreTimes::openNanos))
                .isEqualTo(3);
        assertThat(table.ratio(Rescale.IN, RestoreContender.ROCKSDB, RestoreTimes::totalNanos))
                .isLessThan(3);
        assertThat(table.format().lines()).hasSize(4);
    }

    private static RestoreTimes times(long openMillis) {
        return RestoreTimes.ofLine(
                new RestoreTimes(openMillis * 1_000_000, 1_000_000, 100, 200).toLine());
    }

    @Test
    void tellsWrongOptions() {
        assertThatThrownBy(() -> RestoreComparison.compare(out, "--contenders", "forst"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rocksdb, rocksdb-ingest or strata");
        assertThatThrownBy(() -> RestoreComparison.compare(out, "--megabytes", "many"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--megabytes needs a whole number");
    }
}
