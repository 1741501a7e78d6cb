/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.key.OrderKeys;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.segment.FoundRecord;
import io.strata.flink.segment.StreamingPageSource;
import java.io.IOException;
import java.util.function.UnaryOperator;

/**
 * What the tables of all state kinds have in common: a hot tier over the runs of one state. Task
 * thread only.
 *
 * @param <K> the type of the keys
 * @param <N> the type of the namespaces
 */
public abstract class TieredTable<K, N> {

    final TieredStore store;
    final TableRuns runs;
    KeyCodec<K, N> keys;

    /** The composite key that {@link #encode} made last. */
    final ByteSlice composite = new ByteSlice();

    private final FoundRecord found = new FoundRecord();

    TieredTable(TieredStore store, TableRuns runs, KeyCodec<K, N> keys) {
        this.store = store;
        this.runs = runs;
        this.keys = keys;
    }

    /** Returns the name of the state. */
    public final String stateName() {
        return runs.stateName();
    }

    /** Removes all that a key holds in a namespace, if anything. */
    public abstract void remove(K key, N namespace) throws IOException;

    /** Returns a walk over the (key, namespace) pairs that hold state. */
    public abstract EntryCursor<K, N> cursor() throws IOException;

    /** Counts the entries: keys, or for a map state the entries of all maps. */
    public abstract long countEntries() throws IOException;

    /**
     * Hands over what was dirtied in the epoch that the store has just sealed.
     *
     * @return the entries to flush, or null when there are none
     */
    abstract FlushBatch seal();

    /** Evicts clean entries of about {@code wantedBytes} (I8) and returns how many bytes went. */
    abstract long evict(long wantedBytes);

    abstract long hotEntries();

    /** Returns the bytes of the hot tier of this table. */
    abstract long hotBytes();

    /** Returns the bytes that {@link #evict} could free now. */
    abstract long evictableBytes();

    /** Returns the bytes dirtied in the current epoch. */
    abstract long currentEpochBytes();

    /** Checks what must hold in this table at any time; throws if it does not. For tests. */
    abstract void checkStructure();

    /**
     * Looks {@link #composite} up in the runs.
     *
     * @return the value's bytes, valid until the next lookup, or null when there is none
     */
    final ByteSlice findPut(int keyGroup, long orderKey) throws IOException {
        store.counters().coldReads++;
        int index = runs.current().find(0, keyGroup, orderKey, composite, store.pages(), found);
        return index < 0 || found.kind() == RecordKind.DELETE ? null : found.value();
    }

    /**
     * Looks a key up in the runs from any thread, past the page cache.
     *
     * @return the value's bytes, owned by the caller, or null when there is none
     */
    final ByteSlice peekBelow(K key, N namespace, KeyCodec<K, N> peekKeys) throws IOException {
        RunSet current = runs.current();
        if (!current.retainAll()) {
            return peekBelow(key, namespace, peekKeys); // replaced at that moment: look again
        }
        try {
            ByteSlice bytes = new ByteSlice();
            peekKeys.encode(key, namespace, bytes);
            FoundRecord record = new FoundRecord();
            int index =
                    current.find(
                            0,
                            peekKeys.keyGroup(key),
                            flatOrderKey(peekKeys, bytes),
                            bytes,
                            new StreamingPageSource(store.pageBytes()),
                            record);
            return index < 0 || record.kind() == RecordKind.DELETE
                    ? null
                    : new ByteSlice(record.value().toArray());
        } finally {
            current.releaseAll();
        }
    }

    /** Returns a copier for values that change, null when none is needed. */
    @SuppressWarnings("unchecked")
    static <V> UnaryOperator<Object> copier(ValueCodec<V> values) {
        return values.immutable() ? null : value -> values.copy((V) value);
    }

    /** Encodes the (key, namespace) into {@link #composite} and returns its flat order key. */
    final long encode(K key, N namespace) throws IOException {
        keys.encode(key, namespace, composite);
        return flatOrderKey(keys, composite);
    }

    static long flatOrderKey(KeyCodec<?, ?> keys, ByteSlice composite) {
        int prefix = keys.keyGroupPrefixBytes();
        return OrderKeys.flat(
                composite.bytes, composite.offset + prefix, composite.length - prefix);
    }
}
