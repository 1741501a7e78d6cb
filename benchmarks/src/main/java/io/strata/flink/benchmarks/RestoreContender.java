/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/** The ways to restore that are compared. */
enum RestoreContender {
    ROCKSDB(MeasuredBackend.ROCKSDB, Map.of()),
    ROCKSDB_INGEST(
            MeasuredBackend.ROCKSDB,
            Map.of("state.backend.rocksdb.use-ingest-db-restore-mode", "true")),
    STRATA(MeasuredBackend.STRATA, Map.of());

    private final MeasuredBackend backend;
    private final Map<String, String> flinkOptions;

    RestoreContender(MeasuredBackend backend, Map<String, String> flinkOptions) {
        this.backend = backend;
        this.flinkOptions = flinkOptions;
    }

    /** The backend; contenders with the same one restore the same files. */
    MeasuredBackend backend() {
        return backend;
    }

    /** What it is configured with besides. */
    Map<String, String> flinkOptions() {
        return flinkOptions;
    }

    /** The name in options and tables. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Finds a contender by its name.
     *
     * @throws IllegalArgumentException naming those that there are
     */
    static RestoreContender of(String label) {
        return Arrays.stream(values())
                .filter(contender -> contender.label().equals(label))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "Contender '"
                                                + label
                                                + "': rocksdb, rocksdb-ingest or strata"));
    }
}
