/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.hot.DirtyEntries;
import io.strata.flink.hot.HotCursor;
import io.strata.flink.hot.HotEntry;
import io.strata.flink.hot.HotTable;
import io.strata.flink.segment.StreamingPageSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A table with one entry per (key, namespace): value-like and list state. Task thread only.
 *
 * @param <K> the type of the keys
 * @param <N> the type of the namespaces
 */
public abstract class KeyedTable<K, N> extends TieredTable<K, N> {

    private final HotTable<K, N> hot;
    private KeyCodec<K, N> flushKeys;

    KeyedTable(TieredStore store, TableRuns runs, KeyCodec<K, N> keys, HotTable<K, N> hot) {
        super(store, runs, keys);
        this.hot = hot;
        this.flushKeys = keys.duplicate();
        if (keys.deadlines() != null) {
            hot.useDeadlines(keys.deadlines());
        }
        if (!runs.current().isEmpty()) {
            hot.markIncomplete();
        }
    }

    final void updateKeys(KeyCodec<K, N> updated) {
        keys = updated;
        flushKeys = updated.duplicate();
    }

    /** What the last read found is not to be relied on any more. */
    void forgetRead() {}

    /** Returns how entries become records, for the flush thread alone. */
    abstract EntryFlush.Encoder<K, N> flushEncoder();

    @Override
    public final void remove(K key, N namespace) throws IOException {
        store.beforeOperation();
        forgetRead();
        HotEntry<K, N> entry = hot.find(key, namespace);
        if (entry != null) {
            hot.delete(entry);
        } else if (mayExistBelow(key, namespace)) {
            hot.delete(key, namespace, false);
        } else {
            return;
        }
        store.afterGrowth();
    }

    /** Tells whether a key that is not hot exists nowhere, as far as that costs nothing to know. */
    final boolean isKnownAbsent() {
        return hot.complete() || runs.current().isEmpty();
    }

    /** Tells whether the runs may hold a key. One that is not hot exists nowhere if they do not. */
    final boolean mayExistBelow(K key, N namespace) throws IOException {
        if (isKnownAbsent()) {
            return false;
        }
        long orderKey = encode(key, namespace);
        return runs.current().mayContain(keys.keyGroup(key), orderKey);
    }

    // ---- all keys ----

    @Override
    public final EntryCursor<K, N> cursor() throws IOException {
        if (hot.complete() && hot.entries() <= TableCursor.MAX_LISTED) {
            return TableCursor.overList(livePairs());
        }
        return TableCursor.overRuns(coldCursor(), keys, this::isGone);
    }

    @Override
    public final long countEntries() throws IOException {
        if (hot.complete()) {
            return hot.liveEntries();
        }
        ColdCursor cold = coldCursor();
        long count = 0;
        while (cold.next()) {
            ByteSlice key = cold.key();
            if (!isGone(keys.decodeKey(key), keys.decodeNamespace(key))) {
                count++;
            }
        }
        return count;
    }

    private List<TableCursor.Pair<K, N>> livePairs() {
        List<TableCursor.Pair<K, N>> pairs = new ArrayList<>((int) hot.liveEntries());
        HotCursor<K, N> cursor = hot.cursor();
        for (HotEntry<K, N> e = cursor.next(); e != null; e = cursor.next()) {
            if (!e.isTombstone()) {
                pairs.add(new TableCursor.Pair<>(e.key(), e.namespace()));
            }
        }
        return pairs;
    }

    /** Flushes, so that the runs hold every key, and returns a walk over them. */
    private ColdCursor coldCursor() throws IOException {
        store.flushAll();
        return new ColdCursor(runs, store.keyGroups(), converters(), StreamingPageSource::new);
    }

    private boolean isGone(K key, N namespace) {
        HotEntry<K, N> entry = hot.find(key, namespace);
        return entry != null && entry.isTombstone();
    }

    // ---- what the store calls ----

    @Override
    final FlushBatch seal() {
        DirtyEntries<HotEntry<K, N>> dirty = hot.seal();
        return dirty.isEmpty() ? null : new EntryFlush<>(spec(), flushKeys, flushEncoder(), dirty);
    }

    @Override
    final long evict(long wantedBytes) {
        return hot.evict(wantedBytes);
    }

    @Override
    final long hotEntries() {
        return hot.liveEntries();
    }

    @Override
    final long hotBytes() {
        return hot.bytes();
    }

    @Override
    final long evictableBytes() {
        return hot.evictableBytes();
    }

    @Override
    final long currentEpochBytes() {
        return hot.currentEpochBytes();
    }

    @Override
    final void checkStructure() {
        hot.checkStructure();
    }
}
