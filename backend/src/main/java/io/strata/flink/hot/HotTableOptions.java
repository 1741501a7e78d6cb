/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.util.function.UnaryOperator;

/**
 * What a hot table needs to know about its keys.
 *
 * @param keySizer heap bytes of a key
 * @param namespaceSizer heap bytes of a namespace
 * @param keyCopier called for each key that a table starts to hold; identity for immutable keys
 * @param <K> type of the key
 */
public record HotTableOptions<K>(
        KeySizer keySizer, KeySizer namespaceSizer, UnaryOperator<K> keyCopier) {

    /** Keys take the same each, and namespaces are not counted. */
    public HotTableOptions(int keyBytes, UnaryOperator<K> keyCopier) {
        this(KeySizer.fixed(keyBytes), KeySizer.fixed(0), keyCopier);
    }

    /** Keys are immutable, kept by reference, and not counted. */
    public static <K> HotTableOptions<K> defaults() {
        return new HotTableOptions<>(0, UnaryOperator.identity());
    }
}
