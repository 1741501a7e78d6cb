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
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;

/**
 * The iterator over the entries of one map, in up to three steps. Task thread only.
 *
 * <ol>
 *   <li>While the whole map is hot: its slots, directly.
 *   <li>When the map is only partly hot: what the runs hold, each entry as the hot tier knows it.
 *   <li>User keys looked up one by one: those that were hot when step 2 began and that it did not
 *       meet, or those left over from step 1 when an eviction was about to take slots away.
 * </ol>
 *
 * <p>Integer user keys come in ascending order if they are dense, as they do from Flink's own
 * backends: there are programs that count on it. No other order is promised.
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

    /** Step 2; null when there is none, or when it is over. */
    private ColdEntries<K, N, UK> cold;

    /** Step 3: user keys still to look up, which step 2 takes out when it meets them. */
    private Set<UK> listed = new LinkedHashSet<>(0);

    private Iterator<UK> listedIterator;

    private Entry next;
    private Entry last;

    /** Evictions of the store until the record ended; -1 within the record. */
    private long evictionsAtBoundary = -1;

    private MapIterator(
            MapTable<K, N, UK, UV> table,
            K key,
            N namespace,
            SlotCursor<K, N, UK> slots,
            ColdEntries<K, N, UK> cold) {
        this.table = table;
        this.key = key;
        this.namespace = namespace;
        this.slots = slots;
        this.cold = cold;
    }

    /** Iterates over a map that is all hot; {@code map} is null when it is empty. */
    static <K, N, UK, UV> MapIterator<K, N, UK, UV> overHot(
            MapTable<K, N, UK, UV> table, K key, N namespace, HotMap<K, N, UK> map) {
        MapIterator<K, N, UK, UV> iterator = new MapIterator<>(table, key, namespace, null, null);
        if (map != null && OrderedUserKeys.concerns(table.slots(map).next())) {
            iterator.list(table.slots(map));
        } else if (map != null) {
            iterator.slots = table.slots(map);
            table.store.register(iterator);
        }
        return iterator;
    }

    /** Iterates over a map that is partly hot; {@code map} is null when nothing of it is hot. */
    static <K, N, UK, UV> MapIterator<K, N, UK, UV> overBoth(
            MapTable<K, N, UK, UV> table,
            K key,
            N namespace,
            HotMap<K, N, UK> map,
            ColdEntries<K, N, UK> cold) {
        MapIterator<K, N, UK, UV> iterator = new MapIterator<>(table, key, namespace, null, cold);
        if (map != null) {
            iterator.list(table.slots(map));
        }
        return iterator;
    }

    private void list(SlotCursor<K, N, UK> remaining) {
        List<UK> userKeys = new ArrayList<>();
        for (HotSlot<K, N, UK> s = remaining.next(); s != null; s = remaining.next()) {
            if (!s.isTombstone()) {
                userKeys.add(s.userKey());
            }
        }
        listed = new LinkedHashSet<>(OrderedUserKeys.order(userKeys));
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
        while (cold != null) {
            if (!cold.next()) {
                cold = null;
                break;
            }
            UK userKey = cold.userKey();
            HotSlot<K, N, UK> slot = table.hotSlot(key, namespace, userKey);
            listed.remove(userKey);
            if (slot == null) {
                if (table.isLive(cold)) {
                    return new Entry(userKey, table.values().decode(cold.value()));
                }
            } else if (!slot.isTombstone()) {
                return new Entry(userKey, table.value(slot));
            }
        }
        return nextListed();
    }

    private Entry nextListed() throws IOException {
        if (listedIterator == null) {
            listedIterator = listed.iterator();
        }
        while (listedIterator.hasNext()) {
            UK userKey = listedIterator.next();
            HotSlot<K, N, UK> slot = table.findOrLoad(key, namespace, userKey);
            if (slot != null && !slot.isTombstone()) {
                return new Entry(userKey, table.value(slot));
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
