/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The walk over the (key, namespace) pairs of one table. Task thread only.
 *
 * <p>A small table that is all hot is listed at once. Any other is flushed first, and then walked
 * in the order of its runs, where every pair has one place, whether it is hot or not and wherever
 * it moves meanwhile.
 *
 * @param <K> the type of the keys
 * @param <N> the type of the namespaces
 */
final class TableCursor<K, N> implements EntryCursor<K, N> {

    /** Pairs up to which an all-hot table is listed. */
    static final int MAX_LISTED = 1 << 16;

    /** One pair. */
    record Pair<K, N>(K key, N namespace) {}

    /** Asks the hot tier about a pair that the runs hold. */
    @FunctionalInterface
    interface HotView<K, N> {
        /** Tells whether the hot tier knows that the pair holds nothing. */
        boolean isGone(K key, N namespace) throws IOException;
    }

    private final List<Pair<K, N>> listed;
    private int position;
    private final ColdCursor cold;
    private final KeyCodec<K, N> keys;
    private final HotView<K, N> hot;
    private Pair<K, N> current;

    private TableCursor(
            List<Pair<K, N>> listed, ColdCursor cold, KeyCodec<K, N> keys, HotView<K, N> hot) {
        this.listed = listed;
        this.cold = cold;
        this.keys = keys;
        this.hot = hot;
    }

    static <K, N> TableCursor<K, N> overList(List<Pair<K, N>> pairs) {
        return new TableCursor<>(new ArrayList<>(pairs), null, null, null);
    }

    static <K, N> TableCursor<K, N> overRuns(
            ColdCursor cold, KeyCodec<K, N> keys, HotView<K, N> hot) {
        return new TableCursor<>(List.of(), cold, keys, hot);
    }

    @Override
    public boolean next() throws IOException {
        if (position < listed.size()) {
            current = listed.get(position++);
            return true;
        }
        while (cold != null && cold.next()) {
            K key = keys.decodeKey(cold.key());
            N namespace = keys.decodeNamespace(cold.key());
            if (!hot.isGone(key, namespace)) {
                current = new Pair<>(key, namespace);
                return true;
            }
        }
        current = null;
        return false;
    }

    @Override
    public K key() {
        return current.key();
    }

    @Override
    public N namespace() {
        return current.namespace();
    }
}
