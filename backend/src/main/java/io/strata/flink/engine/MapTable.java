/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.Expiry;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.key.OrderKeys;
import io.strata.flink.hot.DirtyEntries;
import io.strata.flink.hot.HotMap;
import io.strata.flink.hot.HotMapCursor;
import io.strata.flink.hot.HotMapTable;
import io.strata.flink.hot.HotSlot;
import io.strata.flink.hot.HotTableOptions;
import io.strata.flink.hot.KeySizer;
import io.strata.flink.hot.SlotCursor;
import io.strata.flink.segment.StreamingPageSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The table of a map state: one record per entry of a map. Task thread only.
 *
 * <p>A map whose entries are all hot answers everything from the heap; of any other, entries are
 * looked up one by one, and iteration merges both tiers in bounded memory.
 *
 * @param <K> the type of the keys
 * @param <N> the type of the namespaces
 * @param <UK> the type of the user keys
 * @param <UV> the type of the user values, which may be null
 */
public final class MapTable<K, N, UK, UV> extends TieredTable<K, N> {

    private final HotMapTable<K, N, UK> hot;
    private MapKeyCodec<K, N, UK> mapKeys;
    private ValueCodec<UV> values;
    private UnaryOperator<Object> copier;
    private MapKeyCodec<K, N, UK> flushKeys;
    private ValueCodec<UV> flushValues;

    /** An entry read from the runs, with its value's estimated heap bytes. */
    private record Loaded<UK, UV>(UK userKey, UV value, long sizeBytes) {}

    MapTable(TieredStore store, TableRuns runs, MapKeyCodec<K, N, UK> keys, ValueCodec<UV> values) {
        super(store, runs, keys);
        useRules(new CodecRules(values.duplicate()), true);
        this.mapKeys = keys;
        this.values = values;
        this.copier = copier(values);
        this.hot =
                new HotMapTable<>(
                        store.clock(),
                        store.hotBytes(),
                        hotOptions(keys),
                        new HotTableOptions<>(
                                KeySizer.measuring(), KeySizer.fixed(0), UnaryOperator.identity()));
        this.flushKeys = keys.duplicate();
        this.flushValues = values.duplicate();
        if (keys.deadlines() != null) {
            hot.useDeadlines(keys.deadlines());
        }
        if (!runs.current().isEmpty()) {
            hot.markIncomplete();
        }
    }

    /** Replaces the codecs by ones whose rules know the schema of the present ones. */
    public void updateCodecs(MapKeyCodec<K, N, UK> newKeys, ValueCodec<UV> newValues) {
        useRules(new CodecRules(newValues.duplicate()), true);
        keys = newKeys;
        mapKeys = newKeys;
        values = newValues;
        copier = copier(newValues);
        flushKeys = newKeys.duplicate();
        flushValues = newValues.duplicate();
    }

    // ---- single entries ----

    /** Returns the value of an entry; null when there is none, or when null is its value. */
    public UV get(K key, N namespace, UK userKey) throws IOException {
        HotSlot<K, N, UK> slot = findOrLoad(key, namespace, userKey);
        return slot == null ? null : value(slot);
    }

    /** Tells whether the map has an entry for the user key. */
    public boolean contains(K key, N namespace, UK userKey) throws IOException {
        HotSlot<K, N, UK> slot = findOrLoad(key, namespace, userKey);
        return slot != null && !slot.isTombstone();
    }

    /** Sets the value of an entry, which may be null. */
    public void put(K key, N namespace, UK userKey, UV value) throws IOException {
        store.beforeOperation();
        HotMap<K, N, UK> map = hot.find(key, namespace);
        if (map == null) {
            map = hot.findOrCreate(key, namespace, !mapMayExistBelow(key, namespace));
        }
        hot.write(map, userKey, value, sizer.sizeBytes(key, userKey, value), false);
        store.afterGrowth();
    }

    /** Removes an entry, if it is there. */
    public void remove(K key, N namespace, UK userKey) throws IOException {
        store.beforeOperation();
        HotMap<K, N, UK> map = hot.find(key, namespace);
        HotSlot<K, N, UK> slot = map == null ? null : hot.find(map, userKey);
        if (slot != null) {
            hot.delete(slot);
        } else if (entryMayExistBelow(map, key, namespace, userKey)) {
            hot.delete(hot.findOrCreate(key, namespace, false), userKey, false);
        } else {
            return;
        }
        store.afterGrowth();
    }

    /** Returns the live value of a slot that is no tombstone, safe for the user to change. */
    @SuppressWarnings("unchecked")
    UV value(HotSlot<K, N, UK> slot) {
        return (UV) (copier == null ? slot : hot.thaw(slot, copier)).value();
    }

    /** Returns the slot of a user key, loaded if need be; a tombstone or null when absent. */
    HotSlot<K, N, UK> findOrLoad(K key, N namespace, UK userKey) throws IOException {
        store.beforeOperation();
        HotMap<K, N, UK> map = hot.find(key, namespace);
        HotSlot<K, N, UK> slot = map == null ? null : hot.find(map, userKey);
        if (slot != null) {
            store.counters().hotHits++;
            return slot;
        }
        if (isKnownAbsent(map)) {
            store.counters().hotHits++;
            return null;
        }
        long orderKey = encodeEntry(key, namespace, userKey);
        ByteSlice bytes = findPut(keys.keyGroup(key), orderKey);
        if (bytes == null) {
            return null;
        }
        if (!runs.expiry().judge(bytes)) {
            deleteExpired(key, namespace, userKey);
            return null;
        }
        int serializedBytes = bytes.length;
        UV value = values.decode(bytes);
        if (!hot.admits(key, namespace, userKey)) {
            return hot.passing(key, namespace, userKey, value);
        }
        long sizeBytes = sizer.decodedBytes(key, userKey, value, serializedBytes);
        slot = insertClean(key, namespace, new Loaded<>(userKey, value, sizeBytes));
        store.afterGrowth();
        return slot;
    }

    /** Deletes an entry that was found expired below, so that it cannot come back (I5). */
    private void deleteExpired(K key, N namespace, UK userKey) throws IOException {
        hot.delete(hot.findOrCreate(key, namespace, false), userKey, false);
        store.afterGrowth();
    }

    private HotSlot<K, N, UK> insertClean(K key, N namespace, Loaded<UK, UV> entry) {
        HotMap<K, N, UK> map = hot.findOrCreate(key, namespace, false);
        return hot.insertClean(map, entry.userKey(), entry.value(), entry.sizeBytes());
    }

    /** Tells whether what is not hot of this map, or of an unknown one (null), exists nowhere. */
    private boolean isKnownAbsent(HotMap<K, N, UK> map) {
        return hot.complete() || runs.current().isEmpty() || (map != null && map.isComplete());
    }

    private long encodeEntry(K key, N namespace, UK userKey) throws IOException {
        int prefixLength = mapKeys.encodeEntry(key, namespace, userKey, composite);
        return MapEntryFlush.orderKey(mapKeys.keyGroupPrefixBytes(), prefixLength, composite);
    }

    private boolean entryMayExistBelow(HotMap<K, N, UK> map, K key, N namespace, UK userKey)
            throws IOException {
        if (isKnownAbsent(map)) {
            return false;
        }
        long orderKey = encodeEntry(key, namespace, userKey);
        return runs.current().mayContain(keys.keyGroup(key), orderKey);
    }

    private boolean mapMayExistBelow(K key, N namespace) throws IOException {
        if (isKnownAbsent(null)) {
            return false;
        }
        int groupHash = encodeGroup(key, namespace);
        return runs.current().mayContainGroup(keys.keyGroup(key), groupHash);
    }

    /** Encodes the prefix of a map into {@link #composite} and returns its group hash. */
    private int encodeGroup(K key, N namespace) throws IOException {
        keys.encode(key, namespace, composite);
        int prefix = keys.keyGroupPrefixBytes();
        return OrderKeys.groupHash(
                composite.bytes, composite.offset + prefix, composite.length - prefix);
    }

    // ---- whole maps ----

    /** Tells whether the map has no entry. */
    public boolean isEmpty(K key, N namespace) throws IOException {
        store.beforeOperation();
        HotMap<K, N, UK> map = hot.find(key, namespace);
        if (map != null && map.liveSlots() > 0) {
            return false;
        }
        if (isKnownAbsent(map) || (map == null && !mapMayExistBelow(key, namespace))) {
            return true;
        }
        return !hasColdEntry(key, namespace);
    }

    /** Tells whether the entry that a walk over the runs stands on has not expired. */
    boolean isLive(ColdEntries<K, N, UK> cold) throws IOException {
        Expiry expiry = runs.expiry();
        return !expiry.hasTimestamps() || expiry.judge(cold.value());
    }

    private boolean hasColdEntry(K key, N namespace) throws IOException {
        ColdEntries<K, N, UK> cold = coldEntries(key, namespace);
        while (cold.next()) {
            if (hotSlot(key, namespace, cold.userKey()) == null && isLive(cold)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns an iterator over the entries of a map. It takes entries out by {@code remove} and
     * sets values by {@code setValue}, and tolerates any change of the state meanwhile.
     */
    public Iterator<Map.Entry<UK, UV>> iterator(K key, N namespace) throws IOException {
        store.beforeOperation();
        HotMap<K, N, UK> map = hot.find(key, namespace);
        if (!isKnownAbsent(map)) {
            completeIfSmall(map, key, namespace, true);
            map = hot.find(key, namespace);
        }
        if (isKnownAbsent(map)) {
            return MapIterator.overHot(this, key, namespace, map);
        }
        return MapIterator.overBoth(this, key, namespace, map, coldEntries(key, namespace));
    }

    @Override
    public void remove(K key, N namespace) throws IOException {
        store.beforeOperation();
        HotMap<K, N, UK> map = hot.find(key, namespace);
        boolean coldToo = !isKnownAbsent(map) && (map != null || mapMayExistBelow(key, namespace));
        if (map != null) {
            hot.deleteAll(map);
        }
        if (coldToo) {
            // the records are met in order; each gets a tombstone, which a flush may take away
            ColdEntries<K, N, UK> cold = coldEntries(key, namespace);
            while (cold.next()) {
                hot.delete(hot.findOrCreate(key, namespace, false), cold.userKey(), false);
                store.afterGrowth();
            }
        }
        store.afterGrowth();
    }

    /** Returns a walk over the entries of a map that the runs hold, hot or not. */
    private ColdEntries<K, N, UK> coldEntries(K key, N namespace) throws IOException {
        int groupHash = encodeGroup(key, namespace);
        ColdCursor cursor =
                ColdCursor.within(
                        runs,
                        keys.keyGroup(key),
                        OrderKeys.groupStart(groupHash),
                        converters(),
                        store::pages);
        return new ColdEntries<>(cursor, mapKeys, composite.toArray());
    }

    /** Returns the slot of a user key if it is hot, a tombstone too. */
    HotSlot<K, N, UK> hotSlot(K key, N namespace, UK userKey) {
        HotMap<K, N, UK> map = hot.find(key, namespace);
        return map == null ? null : hot.find(map, userKey);
    }

    /**
     * Loads the rest of a map if it is not too large, so that it is complete from then on. Nothing
     * is evicted meanwhile: room is made before, if need be, and then it begins anew.
     */
    private void completeIfSmall(HotMap<K, N, UK> map, K key, N namespace, boolean mayMakeRoom)
            throws IOException {
        if (map == null && !mapMayExistBelow(key, namespace)) {
            return;
        }
        List<Loaded<UK, UV>> loaded = new ArrayList<>();
        long loadedBytes = 0;
        ColdEntries<K, N, UK> cold = coldEntries(key, namespace);
        while (cold.next()) {
            if (hotSlot(key, namespace, cold.userKey()) != null) {
                continue;
            }
            if (!isLive(cold)) {
                hot.delete(hot.findOrCreate(key, namespace, false), cold.userKey(), false);
                continue;
            }
            Loaded<UK, UV> entry = decode(key, cold);
            loadedBytes += entry.sizeBytes() + hot.slotBytes(entry.userKey());
            if (loadedBytes > store.streamThresholdBytes()) {
                return;
            }
            loaded.add(entry);
        }
        if (store.hasRoomFor(loadedBytes)) {
            insertAll(key, namespace, loaded);
        } else if (mayMakeRoom) {
            store.makeRoomFor(loadedBytes);
            completeIfSmall(hot.find(key, namespace), key, namespace, false);
        }
    }

    private Loaded<UK, UV> decode(K key, ColdEntries<K, N, UK> cold) throws IOException {
        ByteSlice bytes = cold.value();
        int serializedBytes = bytes.length;
        UV value = values.decode(bytes);
        long sizeBytes = sizer.decodedBytes(key, cold.userKey(), value, serializedBytes);
        return new Loaded<>(cold.userKey(), value, sizeBytes);
    }

    private void insertAll(K key, N namespace, List<Loaded<UK, UV>> loaded) {
        loaded.forEach(entry -> insertClean(key, namespace, entry));
        HotMap<K, N, UK> map = hot.find(key, namespace);
        if (map != null) {
            hot.markComplete(map);
        }
    }

    /**
     * Returns a walk over the entries that are hot.
     *
     * @param mostSlots of one map at a time
     */
    public HotWalk<K, N, Map<UK, UV>> hotWalk(int mostSlots) {
        return new HotSlotWalk<>(hot.cursor(), hot::slots, mostSlots);
    }

    SlotCursor<K, N, UK> slots(HotMap<K, N, UK> map) {
        return hot.slots(map);
    }

    ValueCodec<UV> values() {
        return values;
    }

    // ---- all maps ----

    @Override
    public EntryCursor<K, N> cursor() throws IOException {
        if (hot.complete() && hot.maps() <= TableCursor.MAX_LISTED) {
            List<TableCursor.Pair<K, N>> pairs = new ArrayList<>();
            HotMapCursor<K, N, UK> maps = hot.cursor();
            for (HotMap<K, N, UK> m = maps.next(); m != null; m = maps.next()) {
                if (m.liveSlots() > 0) {
                    pairs.add(new TableCursor.Pair<>(m.key(), m.namespace()));
                }
            }
            return TableCursor.overList(pairs);
        }
        return new ColdMaps<>(allColdEntries(), mapKeys, this::isLive);
    }

    @Override
    public long countEntries() throws IOException {
        if (hot.complete()) {
            return hot.liveEntries();
        }
        ColdCursor cold = allColdEntries();
        long count = 0;
        while (cold.next()) {
            if (isLive(cold.key())) {
                count++;
            }
        }
        return count;
    }

    private ColdCursor allColdEntries() throws IOException {
        store.flushAll();
        return new ColdCursor(runs, store.keyGroups(), converters(), StreamingPageSource::new);
    }

    /** Tells whether an entry that the runs hold exists, or is gone by a tombstone. */
    boolean isLive(ByteSlice entryKey) throws IOException {
        K key = keys.decodeKey(entryKey);
        N namespace = keys.decodeNamespace(entryKey);
        HotMap<K, N, UK> map = hot.find(key, namespace);
        if (map == null) {
            return true;
        }
        UK userKey = mapKeys.decodeUserKey(entryKey, mapKeys.prefixLength(entryKey));
        HotSlot<K, N, UK> slot = hot.find(map, userKey);
        return slot == null || !slot.isTombstone();
    }

    // ---- what the store calls ----

    @Override
    FlushBatch seal() {
        DirtyEntries<HotSlot<K, N, UK>> dirty = hot.seal();
        return dirty.isEmpty() ? null : new MapEntryFlush<>(spec(), flushKeys, flushValues, dirty);
    }

    @Override
    long evict(long wantedBytes) {
        return hot.evict(wantedBytes);
    }

    @Override
    long hotEntries() {
        return hot.liveEntries();
    }

    @Override
    long hotBytes() {
        return hot.bytes();
    }

    @Override
    long evictableBytes() {
        return hot.evictableBytes();
    }

    @Override
    long currentEpochBytes() {
        return hot.currentEpochBytes();
    }

    @Override
    void checkStructure() {
        hot.checkStructure();
    }
}
