/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The state backends that the example runs on, each by its value of {@code state.backend.type}. */
enum Backend {
    HASHMAP("hashmap"),
    ROCKSDB("rocksdb"),
    STRATA("io.strata.flink.StrataStateBackendFactory");

    private final String type;

    Backend(String type) {
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

    static Optional<Backend> of(String label) {
        return Arrays.stream(values()).filter(b -> b.label().equals(label)).findFirst();
    }
}
