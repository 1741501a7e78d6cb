/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.hot.HotCursor;
import io.strata.flink.hot.HotEntry;
import java.util.function.Function;

/** The {@link HotWalk} over a table with one entry per (key, namespace). */
final class HotEntryWalk<K, N, V> implements HotWalk<K, N, V> {

    private final HotCursor<K, N> cursor;
    private final Function<HotEntry<K, N>, V> view;
    private HotEntry<K, N> current;
    private V value;

    /**
     * Creates a walk.
     *
     * @param view what to show of an entry that is no tombstone; null to pass it over
     */
    HotEntryWalk(HotCursor<K, N> cursor, Function<HotEntry<K, N>, V> view) {
        this.cursor = cursor;
        this.view = view;
    }

    @Override
    public boolean next() {
        for (current = cursor.next(); current != null; current = cursor.next()) {
            value = current.isTombstone() ? null : view.apply(current);
            if (value != null) {
                return true;
            }
        }
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

    @Override
    public V value() {
        return value;
    }
}
