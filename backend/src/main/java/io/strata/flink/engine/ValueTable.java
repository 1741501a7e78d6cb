/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.Expiry;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.RecordKind;
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
public final class ValueTable<K, N, V> extends KeyedTable<K, N> {

    private final HotTable<K, N> hot;
    private ValueCodec<V> values;
    private UnaryOperator<Object> copier;
    private EntryFlush.Encoder<K, N> flushEncoder;

    /**
     * What the last read asked for, by reference, and what it found hot: null when it found nothing
     * in either tier, or did not keep it. A write that follows in the same record need not search
     * again. Good for that record only, after which the user may reuse the object for another key.
     */
    private K readKey;

    private N readNamespace;
    private HotEntry<K, N> readEntry;

    /** What the last read loaded without keeping it; null if it did not. */
    private V readValue;

    private long readInRecord = -1;

    ValueTable(
            TieredStore store,
            TableRuns runs,
            KeyCodec<K, N> keys,
            ValueCodec<V> values,
            HotTable<K, N> hot) {
        super(store, runs, keys, hot);
        useRules(new CodecRules(values.duplicate()), false);
        this.hot = hot;
        this.values = values;
        this.copier = copier(values);
        this.flushEncoder = encoder(values.duplicate());
    }

    private static <K, N, V> EntryFlush.Encoder<K, N> encoder(ValueCodec<V> flushValues) {
        Expiry expiry = flushValues.expiry();
        return new EntryFlush.Encoder<>() {
            private long ttlTimestamp;

            @Override
            public RecordKind kind(HotEntry<K, N> entry) {
                return entry.isTombstone() ? RecordKind.DELETE : RecordKind.PUT;
            }

            @Override
            @SuppressWarnings("unchecked")
            public void encodeValue(HotEntry<K, N> entry, ByteSlice out) throws IOException {
                flushValues.encode((V) entry.value(), out);
                ttlTimestamp = expiry.timestamp(out);
            }

            @Override
            public long ttlTimestamp() {
                return ttlTimestamp;
            }
        };
    }

    /** Replaces the codecs by ones whose rules know the schema of the present ones. */
    public void updateCodecs(KeyCodec<K, N> newKeys, ValueCodec<V> newValues) {
        updateKeys(newKeys);
        useRules(new CodecRules(newValues.duplicate()), false);
        values = newValues;
        copier = copier(newValues);
        flushEncoder = encoder(newValues.duplicate());
    }

    /**
     * Reads a value without touching anything that belongs to the task thread, for queries by other
     * threads. What the task is changing at that moment may be seen or not.
     *
     * @param peekKeys a codec of the calling thread
     * @param peekValues a codec of the calling thread
     */
    @SuppressWarnings("unchecked")
    public V peek(K key, N namespace, KeyCodec<K, N> peekKeys, ValueCodec<V> peekValues)
            throws IOException {
        HotEntry<K, N> entry = hot.peek(key, namespace);
        // an entry that the task is linking at this moment may not show its value yet
        Object value = entry == null ? null : entry.value();
        if (value != null || (entry != null && entry.isTombstone())) {
            return (V) value;
        }
        ByteSlice bytes = peekBelow(key, namespace, peekKeys);
        return bytes == null ? null : peekValues.decode(bytes);
    }

    /** Returns the value, or null when there is none. */
    @SuppressWarnings("unchecked")
    public V get(K key, N namespace) throws IOException {
        store.beforeOperation();
        HotEntry<K, N> entry = hot.find(key, namespace);
        if (entry == null) {
            if (isKnownAbsent()) {
                return null;
            }
            return readValue != null && isJustRead(key, namespace)
                    ? readValue
                    : load(key, namespace);
        }
        store.counters().hotHits++;
        if (copier != null) {
            // the caller may change the object in place, and a frozen one must not change (I7)
            entry = hot.thaw(entry, copier);
        }
        remember(key, namespace, entry);
        return (V) entry.value();
    }

    /** Loads a value; an expired one is deleted instead, so that nothing comes back (I5). */
    private V load(K key, N namespace) throws IOException {
        long orderKey = encode(key, namespace);
        ByteSlice bytes = findPut(keys.keyGroup(key), orderKey);
        if (bytes == null) {
            remember(key, namespace, null);
            return null;
        }
        if (!runs.expiry().judge(bytes)) {
            forgetRead();
            hot.delete(key, namespace, false);
            store.afterGrowth();
            return null;
        }
        int serializedBytes = bytes.length;
        V value = values.decode(bytes);
        if (!hot.admits(key, namespace)) {
            remember(key, namespace, null);
            readValue = value;
            return value;
        }
        long sizeBytes = sizer.decodedBytes(key, namespace, value, serializedBytes);
        HotEntry<K, N> entry = hot.insertClean(key, namespace, value, sizeBytes);
        remember(key, namespace, entry);
        store.afterGrowth();
        return value;
    }

    private void remember(K key, N namespace, HotEntry<K, N> entry) {
        readKey = key;
        readNamespace = namespace;
        readEntry = entry;
        readValue = null;
        readInRecord = store.record();
    }

    private boolean isJustRead(K key, N namespace) {
        return key == readKey && namespace == readNamespace && readInRecord == store.record();
    }

    @Override
    void forgetRead() {
        readInRecord = -1;
        readValue = null;
    }

    /** Sets the value, which must not be null. */
    public void put(K key, N namespace, V value) throws IOException {
        store.beforeOperation();
        boolean justRead = isJustRead(key, namespace);
        boolean justFoundAbsent = justRead && readEntry == null && readValue == null;
        forgetRead();
        HotEntry<K, N> entry =
                justRead && readEntry != null && !readEntry.isStale()
                        ? readEntry
                        : hot.find(key, namespace);
        long sizeBytes = sizer.sizeBytes(key, namespace, value);
        if (entry == null) {
            // worth asking the filters: what is created and cleared in one epoch leaves no trace
            // then
            boolean absentBelow = justFoundAbsent || !mayExistBelow(key, namespace);
            hot.write(key, namespace, value, sizeBytes, absentBelow);
        } else {
            hot.update(entry, value, sizeBytes);
        }
        store.afterGrowth();
    }

    /** Returns a walk over the values that are hot. */
    @SuppressWarnings("unchecked")
    public HotWalk<K, N, V> hotWalk() {
        return new HotEntryWalk<>(hot.cursor(), entry -> (V) entry.value());
    }

    @Override
    EntryFlush.Encoder<K, N> flushEncoder() {
        return flushEncoder;
    }
}
