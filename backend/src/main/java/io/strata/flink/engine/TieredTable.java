/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.ValueConverter;
import io.strata.flink.compaction.ValueConverters;
import io.strata.flink.compaction.ValueRules;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.key.OrderKeys;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.hot.EntrySizer;
import io.strata.flink.hot.HotTableOptions;
import io.strata.flink.hot.KeySizer;
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

    /** Of values, of the elements of lists, or of the values in maps. */
    final EntrySizer sizer;

    /** The composite key that {@link #encode} made last. */
    final ByteSlice composite = new ByteSlice();

    private final FoundRecord found = new FoundRecord();
    private final ByteSlice converted = new ByteSlice();
    private RunSpec spec;
    private ValueConverters converters;

    /**
     * Creates it without rules; the subclass gives them before it does anything else.
     *
     * @see #useRules
     */
    TieredTable(TieredStore store, TableRuns runs, KeyCodec<K, N> keys) {
        this.store = store;
        this.runs = runs;
        this.keys = keys;
        this.sizer = new EntrySizer(store.tuning().estimateDivisor());
    }

    /** Returns what a hot table needs to know about keys and namespaces. */
    static <K> HotTableOptions<K> hotOptions(KeyCodec<K, ?> keys) {
        return new HotTableOptions<>(
                KeySizer.measuring(),
                keys.sharesNamespace() ? KeySizer.fixed(0) : KeySizer.measuring(),
                UnaryOperator.identity());
    }

    /**
     * Takes what the values mean from now on, at the opening and when the codecs change. What was
     * sealed already keeps the schema that it was sealed with.
     *
     * @param grouped whether the order keys begin with a group hash
     */
    final void useRules(ValueRules rules, boolean grouped) {
        if (spec != null && spec.schemaId() != rules.schemaId()) {
            // what was read with the codecs until now is read anew with the next ones
            store.evictAll(this);
        }
        spec = new RunSpec(runs.stateName(), grouped, rules.schemaId());
        converters = new ValueConverters(rules);
        runs.setRules(rules);
    }

    /** Returns what a run is of that is sealed now. */
    final RunSpec spec() {
        return spec;
    }

    /** Returns the converters of the task thread. */
    final ValueConverters converters() {
        return converters;
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
     * @return the value's bytes in the present schema, valid until the next lookup, or null when
     *     there is none
     */
    final ByteSlice findPut(int keyGroup, long orderKey) throws IOException {
        store.counters().coldReads++;
        RunSet current = runs.current();
        int index = current.find(0, keyGroup, orderKey, composite, store.pages(), found);
        if (index < 0 || found.kind() == RecordKind.DELETE) {
            return null;
        }
        ValueConverter converter = converters.from(current.schemaId(index));
        if (converter == null) {
            return found.value();
        }
        converter.convert(found.value(), converted);
        return converted;
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
            if (index < 0 || record.kind() == RecordKind.DELETE) {
                return null;
            }
            ByteSlice value = new ByteSlice().set(record.value());
            ValueConverter converter = runs.rules().converter(current.schemaId(index));
            if (converter != null) {
                converter.convert(record.value(), value);
            }
            return new ByteSlice(value.toArray());
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
