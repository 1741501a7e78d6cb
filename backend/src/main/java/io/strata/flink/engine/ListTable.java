/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.Expiry;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.hot.HotEntry;
import io.strata.flink.hot.HotList;
import io.strata.flink.hot.HotListTable;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The table of a list state. Task thread only.
 *
 * <p>Adding never reads the cold tier: a flush writes what was added as an APPEND record. Reading
 * joins what the runs hold with the hot elements; a list too large for the heap is streamed.
 *
 * @param <K> the type of the keys
 * @param <N> the type of the namespaces
 * @param <T> the type of the elements, which are never null
 */
public final class ListTable<K, N, T> extends KeyedTable<K, N> {

    /** The byte between two elements of a stored list, as Flink's list format has it. */
    static final byte DELIMITER = ',';

    private final HotListTable<K, N, T> hot;
    private ElementCodec<T> elements;
    private UnaryOperator<T> copier;
    private final ColdList cold;
    private EntryFlush.Encoder<K, N> flushEncoder;

    ListTable(
            TieredStore store,
            TableRuns runs,
            KeyCodec<K, N> keys,
            ElementCodec<T> elements,
            HotListTable<K, N, T> hot) {
        super(store, runs, keys, hot);
        useRules(new CodecRules(elements.duplicate()), false);
        this.hot = hot;
        this.elements = elements;
        this.copier = elements.immutable() ? null : elements::copy;
        this.cold = new ColdList(store.pages());
        this.flushEncoder = new Encoder<>(elements.duplicate());
    }

    /** Replaces the codecs by ones whose rules know the schema of the present ones. */
    public void updateCodecs(KeyCodec<K, N> newKeys, ElementCodec<T> newElements) {
        updateKeys(newKeys);
        useRules(new CodecRules(newElements.duplicate()), false);
        elements = newElements;
        copier = newElements.immutable() ? null : newElements::copy;
        flushEncoder = new Encoder<>(newElements.duplicate());
    }

    /** Adds an element. */
    public void add(K key, N namespace, T element) throws IOException {
        store.beforeOperation();
        append(key, namespace, element);
        store.afterGrowth();
    }

    private void append(K key, N namespace, T element) throws IOException {
        long bytes = sizer.sizeBytes(element);
        HotEntry<K, N> entry = hot.find(key, namespace);
        if (entry == null) {
            hot.append(key, namespace, element, bytes, !mayExistBelow(key, namespace));
        } else {
            hot.append(entry, element, bytes);
        }
    }

    /** Adds elements, in their order. */
    public void addAll(K key, N namespace, Collection<? extends T> added) throws IOException {
        store.beforeOperation();
        for (T element : added) {
            append(key, namespace, element);
            store.afterGrowth();
        }
    }

    /** Replaces the list by a copy of the given one, which must not be empty. */
    public void put(K key, N namespace, List<? extends T> list) throws IOException {
        store.beforeOperation();
        boolean absentBelow = hot.find(key, namespace) == null && !mayExistBelow(key, namespace);
        hot.put(key, namespace, list, sizeBytes(list), absentBelow);
        store.afterGrowth();
    }

    /**
     * Returns the elements, or null when there are none.
     *
     * <p>A list that fits the heap is an unmodifiable {@link List}. A larger one can only be
     * iterated over; it reads the runs while it goes.
     */
    public Iterable<T> get(K key, N namespace) throws IOException {
        return read(key, namespace, store.streamThresholdBytes(), true);
    }

    /** Returns the whole list, unmodifiable, or null when there is none. */
    @SuppressWarnings("unchecked")
    public List<T> getList(K key, N namespace) throws IOException {
        return (List<T>) read(key, namespace, Long.MAX_VALUE, true);
    }

    private Iterable<T> read(K key, N namespace, long streamThresholdBytes, boolean mayMakeRoom)
            throws IOException {
        store.beforeOperation();
        HotEntry<K, N> entry = hot.find(key, namespace);
        if (entry == null && isKnownAbsent()) {
            return null;
        }
        if (entry != null && entry.isTombstone()) {
            return null;
        }
        if (entry != null && copier != null) {
            // the caller may change elements in place, and frozen ones must not change (I7)
            entry = hot.thawElements(entry, copier);
        }
        if (entry != null && !hot.list(entry).baseBelow()) {
            store.counters().hotHits++;
            return hot.list(entry).view();
        }
        return readWithBase(entry, key, namespace, streamThresholdBytes, mayMakeRoom);
    }

    private Iterable<T> readWithBase(
            HotEntry<K, N> entry,
            K key,
            N namespace,
            long streamThresholdBytes,
            boolean mayMakeRoom)
            throws IOException {
        store.counters().coldReads++;
        boolean found = locate(cold, key, namespace);
        if (!found && entry == null) {
            return null;
        }
        long expectedBytes = found ? sizer.expectedBytes(cold.bytes()) : 0;
        if (expectedBytes > streamThresholdBytes) {
            return () -> stream(key, namespace);
        }
        if (mayMakeRoom && !store.hasRoomFor(expectedBytes)) {
            store.makeRoomFor(expectedBytes); // the entry may go
            return read(key, namespace, streamThresholdBytes, false);
        }
        List<T> stored = found ? cold.readAll(elements, converters(), runs.expiry()) : List.of();
        if (stored.isEmpty() && entry == null && runs.expiry().hasTimestamps()) {
            // all of it has expired, and must not come back (I5)
            hot.delete(key, namespace, false);
            store.afterGrowth();
            return null;
        }
        if (entry == null && !hot.admits(key, namespace)) {
            return Collections.unmodifiableList(stored);
        }
        long serializedBytes = cold.bytes();
        long storedBytes = sizeBytes(stored);
        if (!stored.isEmpty()) {
            sizer.learnDecoded(storedBytes, serializedBytes);
        }
        HotEntry<K, N> whole =
                entry == null
                        ? hot.insertLoaded(key, namespace, stored, storedBytes)
                        : hot.attachBase(entry, stored, storedBytes);
        List<T> view = hot.list(whole).view();
        store.afterGrowth();
        return view;
    }

    private ListStream<T> stream(K key, N namespace) {
        ListStream<T> stream =
                new ListStream<>(
                        elements,
                        converters(),
                        new ColdList(store.pages()),
                        new ListStream.Source<T>() {
                            @Override
                            public boolean locate(ColdList target) throws IOException {
                                return ListTable.this.locate(target, key, namespace);
                            }

                            @Override
                            public List<T> hotTail() {
                                return ListTable.this.hotTail(key, namespace);
                            }

                            @Override
                            public long cuts() {
                                return runs.cuts();
                            }
                        });
        store.register(stream);
        return stream;
    }

    /** Returns the hot elements that no run holds yet. */
    private List<T> hotTail(K key, N namespace) {
        HotEntry<K, N> entry = hot.find(key, namespace);
        boolean hasTail = entry != null && !entry.isTombstone();
        return hasTail ? hot.list(entry).view(hot.flushedElements(entry)) : List.of();
    }

    private boolean locate(ColdList target, K key, N namespace) throws IOException {
        long orderKey = encode(key, namespace);
        return target.locate(runs.current(), keys.keyGroup(key), orderKey, composite);
    }

    private long sizeBytes(Collection<? extends T> list) {
        long bytes = 0;
        for (T element : list) {
            bytes += sizer.sizeBytes(element);
        }
        return bytes;
    }

    /** Returns a walk over the lists of which nothing lies below alone. */
    public HotWalk<K, N, List<T>> hotWalk() {
        return new HotEntryWalk<>(
                hot.cursor(), entry -> hot.list(entry).baseBelow() ? null : hot.list(entry).view());
    }

    @Override
    EntryFlush.Encoder<K, N> flushEncoder() {
        return flushEncoder;
    }

    /** Encodes what a flush writes of a list. Flush thread only. */
    private static final class Encoder<K, N, T> implements EntryFlush.Encoder<K, N> {

        private final ElementCodec<T> elements;
        private final Expiry expiry;
        private final JoinedBytes joined = new JoinedBytes(DELIMITER);
        private long ttlTimestamp;

        Encoder(ElementCodec<T> elements) {
            this.elements = elements;
            this.expiry = elements.expiry();
        }

        @Override
        public RecordKind kind(HotEntry<K, N> entry) {
            if (entry.isTombstone()) {
                return RecordKind.DELETE;
            }
            return list(entry).replacesBelow() ? RecordKind.PUT : RecordKind.APPEND;
        }

        @Override
        public void encodeValue(HotEntry<K, N> entry, ByteSlice out) throws IOException {
            HotList<T> list = list(entry);
            joined.clear();
            ttlTimestamp = list.size() > list.appendFrom() ? Long.MIN_VALUE : Expiry.NO_TTL;
            for (int i = list.appendFrom(); i < list.size(); i++) {
                elements.encode(list.get(i), out);
                ttlTimestamp = Math.max(ttlTimestamp, expiry.timestamp(out));
                joined.add(out);
            }
            joined.pointTo(out);
        }

        @Override
        public long ttlTimestamp() {
            return ttlTimestamp;
        }

        @SuppressWarnings("unchecked")
        private HotList<T> list(HotEntry<K, N> entry) {
            return (HotList<T>) entry.value();
        }
    }
}
