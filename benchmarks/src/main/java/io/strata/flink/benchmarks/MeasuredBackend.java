/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.util.Arrays;
import java.util.Locale;

/** The state backends that are measured, each by its value of {@code state.backend.type}. */
public enum MeasuredBackend {
    HASHMAP("hashmap"),
    ROCKSDB("rocksdb"),
    STRATA("io.strata.flink.StrataStateBackendFactory");

    private final String type;

    MeasuredBackend(String type) {
        this.type = type;
    }

    /** The value of the option {@code state.backend.type}. */
    String type() {
        return type;
    }

    /** The name in options and tables. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Finds a backend by its name.
     *
     * @throws IllegalArgumentException naming the backends that there are
     */
    static MeasuredBackend of(String label) {
        return Arrays.stream(values())
                .filter(backend -> backend.label().equals(label))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "Backend '" + label + "': hashmap, rocksdb or strata"));
    }
}
