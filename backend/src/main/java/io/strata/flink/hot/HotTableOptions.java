/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.util.function.UnaryOperator;

/**
 * What a hot table needs to know about its keys.
 *
 * @param keyBytes heap bytes of one key and its namespace, counted once per entry (0 when they are
 *     shared objects)
 * @param keyCopier called for each key that a table starts to hold; identity for immutable keys
 * @param <K> type of the key
 */
public record HotTableOptions<K>(int keyBytes, UnaryOperator<K> keyCopier) {

    /** Keys are immutable, kept by reference, and not counted. */
    public static <K> HotTableOptions<K> defaults() {
        return new HotTableOptions<>(0, UnaryOperator.identity());
    }

    /** Checks the size. */
    public HotTableOptions {
        if (keyBytes < 0) {
            throw new IllegalArgumentException("Negative keyBytes: " + keyBytes);
        }
    }
}
