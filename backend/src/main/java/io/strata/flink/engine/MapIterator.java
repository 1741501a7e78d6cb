/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.hot.HotMap;
import io.strata.flink.hot.HotSlot;
import io.strata.flink.hot.SlotCursor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ConcurrentModificationException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;

/**
 * The iterator over the entries of one map, in up to three steps. Task thread only.
 *
 * <ol>
 *   <li>While the whole map is hot: its slots, directly.
 *   <li>When the map is only partly hot, or is about to lose slots to an eviction: the user keys
 *       that were hot, looked up one by one.
 *   <li>What only the runs hold, without the user keys of step 2.
 * </ol>
 *
 * <p>It may be abandoned at any point: it holds user keys, no segment. Used beyond the record in
 * which it was made, it fails with {@link ConcurrentModificationException} if the first step was
 * disturbed by an eviction meanwhile.
 */
final class MapIterator<K, N, UK, UV> implements Iterator<Map.Entry<UK, UV>> {

    private final MapTable<K, N, UK, UV> table;
    private final K key;
    private final N namespace;

    /** Step 1; null when it is over. */
    private SlotCursor<K, N, UK> slots;

    /** Step 2: user keys still to look up. */
    private final ArrayDeque<UserKey<UK>> listed = new ArrayDeque<>();

    /** Step 3; null when there is none. */
    private final ColdEntries<K, N, UK> cold;

    /** User keys that step 3 must not meet again. */
    private final Set<UK> met;

    private Entry next;
    private Entry last;

    /** Evictions of the store until the record ended; -1 within the record. */
    private long evictionsAtBoundary = -1;

    /** A user key, which may be null as an ArrayDeque's element may not. */
    private record UserKey<UK>(UK value) {}

    private MapIterator(
            MapTable<K, N, UK, UV> table,
            K key,
            N namespace,
            SlotCursor<K, N, UK> slots,
            ColdEntries<K, N, UK> cold,
            Set<UK> met) {
        this.table = table;
        this.key = key;
        this.namespace = namespace;
        this.slots = slots;
        this.cold = cold;
        this.met = met;
    }

    /** Iterates over a map that is all hot; {@code map} is null when it is empty. */
    static <K, N, UK, UV> MapIterator<K, N, UK, UV> overHot(
            MapTable<K, N, UK, UV> table, K key, N namespace, HotMap<K, N, UK> map) {
        SlotCursor<K, N, UK> slots = map == null ? null : table.slots(map);
        MapIterator<K, N, UK, UV> iterator =
                new MapIterator<>(table, key, namespace, slots, null, null);
        if (slots != null) {
            table.store.register(iterator);
        }
        return iterator;
    }

    /** Iterates over a map that is partly hot. */
    static <K, N, UK, UV> MapIterator<K, N, UK, UV> overBoth(
            MapTable<K, N, UK, UV> table,
            K key,
            N namespace,
            HotMap<K, N, UK> map,
            ColdEntries<K, N, UK> cold) {
        MapIterator<K, N, UK, UV> iterator =
                new MapIterator<>(table, key, namespace, null, cold, new HashSet<>());
        if (map != null) {
            iterator.list(table.slots(map));
        }
        return iterator;
    }

    private void list(SlotCursor<K, N, UK> remaining) {
        for (HotSlot<K, N, UK> s = remaining.next(); s != null; s = remaining.next()) {
            if (!s.isTombstone()) {
                listed.add(new UserKey<>(s.userKey()));
                if (met != null) {
                    met.add(s.userKey());
                }
            }
        }
    }

    /** The store is about to evict: what is left of step 1 is noted by its user keys. */
    void beforeEviction() {
        if (slots != null) {
            list(slots);
            slots = null;
        }
    }

    /** The record is over: from here on nobody tells of evictions. */
    void recordEnded(long evictions) {
        evictionsAtBoundary = evictions;
    }

    @Override
    public boolean hasNext() {
        if (next == null) {
            try {
                next = advance();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return next != null;
    }

    @Override
    public Map.Entry<UK, UV> next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        last = next;
        next = null;
        return last;
    }

    @Override
    public void remove() {
        if (last == null) {
            throw new IllegalStateException("next() was not called, or the entry is removed.");
        }
        try {
            table.remove(key, namespace, last.userKey);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        last = null;
    }

    private Entry advance() throws IOException {
        if (slots != null) {
            checkUndisturbed();
            for (HotSlot<K, N, UK> s = slots.next(); s != null; s = slots.next()) {
                if (!s.isTombstone()) {
                    return new Entry(s.userKey(), table.value(s));
                }
            }
            slots = null;
        }
        while (!listed.isEmpty()) {
            UK userKey = listed.remove().value();
            if (table.contains(key, namespace, userKey)) {
                return new Entry(userKey, table.get(key, namespace, userKey));
            }
        }
        while (cold != null && cold.next()) {
            UK userKey = cold.userKey();
            if (!met.contains(userKey)) {
                return new Entry(userKey, table.values().decode(cold.value()));
            }
        }
        return null;
    }

    private void checkUndisturbed() {
        if (evictionsAtBoundary >= 0 && evictionsAtBoundary != table.store.evictions()) {
            throw new ConcurrentModificationException(
                    ("An iterator over map state %s was used after its record, when entries had been"
                                    + " evicted. Iterate within one record.")
                            .formatted(table.stateName()));
        }
    }

    /** One entry, with the live value at the time it was met. */
    private final class Entry implements Map.Entry<UK, UV> {

        private final UK userKey;
        private UV value;

        Entry(UK userKey, UV value) {
            this.userKey = userKey;
            this.value = value;
        }

        @Override
        public UK getKey() {
            return userKey;
        }

        @Override
        public UV getValue() {
            return value;
        }

        @Override
        public UV setValue(UV newValue) {
            UV before = value;
            try {
                table.put(key, namespace, userKey, newValue);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            value = newValue;
            return before;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Map.Entry<?, ?> entry
                    && Objects.equals(userKey, entry.getKey())
                    && Objects.equals(value, entry.getValue());
        }

        @Override
        public int hashCode() {
            return Objects.hashCode(userKey) ^ Objects.hashCode(value);
        }

        @Override
        public String toString() {
            return userKey + "=" + value;
        }
    }
}
