/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.hot.DirtyEntries;
import io.strata.flink.hot.EntrySizer;
import io.strata.flink.hot.HotEntry;
import io.strata.flink.hot.HotTable;
import java.io.IOException;
import java.util.function.UnaryOperator;

/**
 * The table of a state with one value per (key, namespace): value, reducing and aggregating state.
 * Task thread only.
 *
 * <p>Values are live objects, as with {@code hashmap}: what {@link #get} returns is what the table
 * holds, until it is evicted.
 *
 * @param <K> the type of the keys
 * @param <N> the type of the namespaces
 * @param <V> the type of the values
 */
public final class ValueTable<K, N, V> extends TieredTable<K, N> {

    private final HotTable<K, N> hot;
    private final ValueCodec<V> values;
    private final UnaryOperator<Object> copier;
    private final EntrySizer sizer;
    private final RunSpec spec;
    private final FlushCodecs<K, N, V> flushCodecs;

    ValueTable(
            TieredStore store, TableRuns runs, KeyCodec<K, N> keys, ValueCodec<V> values) {
        super(store, runs, keys);
        this.values = values;
        this.copier = values.immutable() ? null : copier(values);
        this.sizer = store.newSizer(values);
        this.hot = store.newHotTable(runs);
        this.spec = new RunSpec(runs.stateName(), false, 0);
        this.flushCodecs = new FlushCodecs<>(keys.duplicate(), values.duplicate());
    }

    @SuppressWarnings("unchecked")
    private static <V> UnaryOperator<Object> copier(ValueCodec<V> values) {
        return value -> values.copy((V) value);
    }

    /** Returns the value, or null when there is none. */
    @SuppressWarnings("unchecked")
    public V get(K key, N namespace) throws IOException {
        store.beforeOperation();
        HotEntry<K, N> entry = hot.find(key, namespace);
        if (entry == null) {
            return hot.complete() ? null : load(key, namespace);
        }
        store.countHotHit();
        if (copier != null) {
            // the caller may change the object in place, and a frozen one must not change (I7)
            entry = hot.thaw(entry, copier);
        }
        return (V) entry.value();
    }

    private V load(K key, N namespace) throws IOException {
        if (runs.current().isEmpty()) {
            return null;
        }
        long orderKey = encode(key, namespace);
        ByteSlice bytes = store.findPut(runs, keys.keyGroup(key), orderKey, composite);
        if (bytes == null) {
            return null;
        }
        sizer.observe(bytes.length);
        V value = values.decode(bytes);
        hot.insertClean(key, namespace, value, sizer.sizeBytes(value));
        store.afterGrowth();
        return value;
    }

    /** Sets the value, which must not be null. */
    public void put(K key, N namespace, V value) throws IOException {
        store.beforeOperation();
        HotEntry<K, N> entry = hot.find(key, namespace);
        long sizeBytes = sizer.sizeBytes(value);
        if (entry == null) {
            hot.write(key, namespace, value, sizeBytes, hot.complete());
        } else {
            hot.update(entry, value, sizeBytes);
        }
        store.afterGrowth();
    }

    /** Removes the value, if any. */
    public void remove(K key, N namespace) throws IOException {
        store.beforeOperation();
        HotEntry<K, N> entry = hot.find(key, namespace);
        if (entry == null) {
            if (!hot.complete() && mayExistBelow(key, namespace)) {
                hot.writeTombstone(key, namespace);
                store.afterGrowth();
            }
        } else if (!entry.isTombstone()) {
            hot.delete(entry, store.isNew(entry.epoch()) && !mayExistBelow(key, namespace));
            store.afterGrowth();
        }
    }

    private boolean mayExistBelow(K key, N namespace) throws IOException {
        if (runs.current().isEmpty()) {
            return false;
        }
        long orderKey = encode(key, namespace);
        return runs.current().mayContain(keys.keyGroup(key), orderKey);
    }
}
