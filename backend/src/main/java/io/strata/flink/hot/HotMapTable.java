/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/**
 * The hot table of one map state: (key, namespace) to a {@link HotMap} of user-key slots. Slots are
 * what becomes dirty, is flushed and is evicted, one by one; a map is there while it has slots. A
 * hit costs two small hash lookups and allocates nothing. Task thread only.
 *
 * @param <K> type of the key
 * @param <N> type of the namespace
 * @param <UK> type of the user key
 */
public final class HotMapTable<K, N, UK> extends EpochTable<HotSlot<K, N, UK>> {

    private final UnaryOperator<K> keyCopier;
    private final UnaryOperator<UK> userKeyCopier;
    private final KeySizer keySizer;
    private final KeySizer namespaceSizer;
    private final KeySizer userKeySizer;
    private final ChainTable<HotMap<K, N, UK>> chains;
    private final ChainCursor mapHand = new ChainCursor();
    private final ChainCursor slotHand = new ChainCursor();

    /** The map that {@link #slotHand} walks; null between two maps. */
    private HotMap<K, N, UK> mapAtHand;

    private long slots;

    /** A table whose keys are immutable and not counted. */
    public HotMapTable(EpochClock clock, HotBytes bytes) {
        this(clock, bytes, HotTableOptions.defaults(), HotTableOptions.defaults());
    }

    /**
     * A table for keys as described.
     *
     * @param keys about key and namespace, counted once a map
     * @param userKeys about the user keys, counted once a slot
     */
    public HotMapTable(
            EpochClock clock,
            HotBytes bytes,
            HotTableOptions<K> keys,
            HotTableOptions<UK> userKeys) {
        super(clock, bytes);
        this.keyCopier = keys.keyCopier();
        this.userKeyCopier = userKeys.keyCopier();
        this.keySizer = keys.keySizer();
        this.namespaceSizer = keys.namespaceSizer();
        this.userKeySizer = userKeys.keySizer();
        this.chains = new ChainTable<>(ledger);
    }

    /**
     * Lets slots leave later whose namespaces end soon, in comparison with the others.
     *
     * @param deadlineOf when all that a namespace holds will be read, in any unit
     */
    public void useDeadlines(ToLongFunction<? super N> deadlineOf) {
        evictByDeadlines(slot -> deadlineOf.applyAsLong(slot.map.namespace));
    }

    // ---- maps ----

    /** The map of a key; null when none of its user keys is here. */
    public HotMap<K, N, UK> find(K key, N namespace) {
        return lookUp(HotHash.of(key, namespace), key, namespace);
    }

    /**
     * The map of a key, a new one without slots if there is none. The next thing to do with a new
     * one is to put a slot into it; left empty it goes at the next eviction.
     *
     * @param completeIfNew the caller knows that no entry of this map exists below
     */
    public HotMap<K, N, UK> findOrCreate(K key, N namespace, boolean completeIfNew) {
        int hash = HotHash.of(key, namespace);
        HotMap<K, N, UK> map = lookUp(hash, key, namespace);
        if (map == null) {
            map = new HotMap<>(keyCopier.apply(key), namespace, hash);
            map.setComplete(completeIfNew || complete());
            chains.link(map);
            ledger.structure(bytesWithoutSlots(map));
        }
        return map;
    }

    /** Tells that all entries of this map that exist below are here now. */
    public void markComplete(HotMap<K, N, UK> map) {
        map.setComplete(true);
    }

    /** Deletes all user keys of a map that are here. What lies below is the caller's business. */
    public void deleteAll(HotMap<K, N, UK> map) {
        SlotCursor<K, N, UK> cursor = slots(map);
        for (HotSlot<K, N, UK> s = cursor.next(); s != null; s = cursor.next()) {
            delete(s);
        }
    }

    /** A walk over the slots of a map, tombstones included, that tolerates any change meanwhile. */
    public SlotCursor<K, N, UK> slots(HotMap<K, N, UK> map) {
        return new SlotCursor<>(this, map);
    }

    /** A walk over all maps that tolerates any change meanwhile. */
    public HotMapCursor<K, N, UK> cursor() {
        return new HotMapCursor<>(this, chains);
    }

    /** The number of maps, those without live slots too. */
    public int maps() {
        return chains.size();
    }

    // ---- slots ----

    /** The slot of a user key, a tombstone too; null when it is not here. */
    public HotSlot<K, N, UK> find(HotMap<K, N, UK> map, UK userKey) {
        HotSlot<K, N, UK> slot = map.find(userKey, HotHash.of(userKey));
        if (slot != null) {
            found(slot);
        }
        return slot;
    }

    /**
     * Whether to keep a value loaded from below. It is not worth it while hardly anything that is
     * here is found; to be asked once for each value loaded.
     */
    public boolean admits(K key, N namespace, UK userKey) {
        return admitsAt(placeOf(HotHash.of(key, namespace), HotHash.of(userKey)));
    }

    /** A clean slot that is in no map, for a value loaded from below that is not kept. */
    public HotSlot<K, N, UK> passing(K key, N namespace, UK userKey, Object value) {
        HotMap<K, N, UK> map = new HotMap<>(key, namespace, HotHash.of(key, namespace));
        HotSlot<K, N, UK> slot = new HotSlot<>(map, userKey, HotHash.of(userKey));
        slot.value = value;
        slot.detach();
        return slot;
    }

    /**
     * Adds a value loaded from below, clean.
     *
     * @param sizeBytes heap bytes of the value
     * @throws IllegalStateException if the user key is here already
     */
    public HotSlot<K, N, UK> insertClean(
            HotMap<K, N, UK> map, UK userKey, Object value, long sizeBytes) {
        int hash = HotHash.of(userKey);
        if (map.find(userKey, hash) != null) {
            throw new IllegalStateException("Already here: " + userKey + " in " + map);
        }
        HotSlot<K, N, UK> slot = link(map, userKey, hash);
        addClean(slot, value, sizeBytes);
        return slot;
    }

    /**
     * Sets the value of a user key in the current epoch, whether it is here or not.
     *
     * @param sizeBytes heap bytes of the value
     * @param absentBelow the caller knows that the user key, if it is not here, exists nowhere
     *     below
     */
    public HotSlot<K, N, UK> write(
            HotMap<K, N, UK> map, UK userKey, Object value, long sizeBytes, boolean absentBelow) {
        int hash = HotHash.of(userKey);
        HotSlot<K, N, UK> slot = map.find(userKey, hash);
        if (slot != null) {
            found(slot);
            return update(slot, value, sizeBytes);
        }
        slot = link(map, userKey, hash);
        boolean absent = absentBelow || map.isComplete() || complete();
        addDirty(slot, value, sizeBytes, absent ? HotNode.ABSENT_BELOW : 0);
        sweepTombstones();
        return slot;
    }

    /**
     * Deletes a user key, whether it is here or not.
     *
     * @param absentBelow the caller knows that the user key, if it is not here, exists nowhere
     *     below
     */
    public void delete(HotMap<K, N, UK> map, UK userKey, boolean absentBelow) {
        int hash = HotHash.of(userKey);
        HotSlot<K, N, UK> slot = map.find(userKey, hash);
        if (slot != null) {
            delete(slot);
        } else if (!absentBelow && !map.isComplete() && !complete()) {
            addDirty(link(map, userKey, hash), null, 0, HotNode.TOMBSTONE);
        }
    }

    /** Heap bytes of a slot of this user key without its value. */
    public long slotBytes(UK userKey) {
        return (long) NODE_BYTES + HotMap.BYTES_PER_SLOT + userKeySizer.bytes(userKey);
    }

    // ---- eviction ----

    /** Counts a hit of a slot. */
    void found(HotSlot<K, N, UK> slot) {
        found(slot, identityOf(placeOf(slot)));
    }

    @Override
    long take(HotSlot<K, N, UK> slot) {
        long before = bytes();
        if (!slot.isTombstone()) {
            slot.map.setComplete(false);
        }
        super.take(slot);
        return before - bytes();
    }

    @Override
    long placeOf(HotSlot<K, N, UK> slot) {
        return placeOf(slot.map.hash, slot.hash);
    }

    private static long placeOf(int mapHash, int slotHash) {
        return HotHash.position(mapHash) << 32 | HotHash.position(slotHash);
    }

    @Override
    @SuppressWarnings("unchecked")
    HotSlot<K, N, UK> onProbation(long place) {
        int mapHash = (int) (place >>> 32);
        HotNode found = null;
        for (ChainNode node = chains.chain(mapHash); node != null; node = node.next) {
            if (node.hash == mapHash && (found == null || !isClean(found))) {
                ChainNode slots = ((HotMap<K, N, UK>) node).head(HotHash.position((int) place));
                HotNode here = onProbation(slots, (int) place);
                found = here == null ? found : here;
            }
        }
        return (HotSlot<K, N, UK>) found;
    }

    @Override
    long nodesAtHand() {
        return entries() + maps() + 1;
    }

    /** The next slot of an endless walk; null where it passes from one map to another. */
    @Override
    @SuppressWarnings("unchecked")
    HotSlot<K, N, UK> nextAtHand() {
        if (mapAtHand == null || mapAtHand.isDetached()) {
            mapAtHand = (HotMap<K, N, UK>) mapHand.next(chains);
            slotHand.rewind();
            if (mapAtHand == null) {
                mapHand.rewind();
                return null;
            }
        }
        HotSlot<K, N, UK> slot = (HotSlot<K, N, UK>) slotHand.next(mapAtHand);
        if (slot == null) {
            removeIfEmpty(mapAtHand);
            mapAtHand = null;
        }
        return slot;
    }

    @Override
    public long entries() {
        return slots;
    }

    // ---- how slots are chained ----

    @Override
    HotSlot<K, N, UK> copyOf(HotSlot<K, N, UK> slot) {
        return new HotSlot<>(slot.map, slot.userKey, slot.hash);
    }

    @Override
    void relink(HotSlot<K, N, UK> slot, HotSlot<K, N, UK> by) {
        slot.map.replace(slot, by);
    }

    @Override
    void unlink(HotSlot<K, N, UK> slot) {
        ledger.structure(slot.map.unlink(slot));
        slots--;
    }

    @Override
    void liveChanged(HotSlot<K, N, UK> slot, int delta) {
        slot.map.addLive(delta);
    }

    @Override
    int keyBytes(HotSlot<K, N, UK> slot) {
        return userKeySizer.bytes(slot.userKey);
    }

    private long bytesWithoutSlots(HotMap<K, N, UK> map) {
        return map.structureBytes() + keySizer.bytes(map.key) + namespaceSizer.bytes(map.namespace);
    }

    @Override
    void unlinked(HotSlot<K, N, UK> slot) {
        removeIfEmpty(slot.map);
    }

    private HotSlot<K, N, UK> link(HotMap<K, N, UK> map, UK userKey, int hash) {
        checkLinked(map);
        HotSlot<K, N, UK> slot = new HotSlot<>(map, userKeyCopier.apply(userKey), hash);
        ledger.structure(map.link(slot));
        slots++;
        return slot;
    }

    private void removeIfEmpty(HotMap<K, N, UK> map) {
        if (map.slots() == 0 && !map.isDetached()) {
            ledger.structure(-bytesWithoutSlots(map));
            chains.unlink(map);
        }
    }

    @SuppressWarnings("unchecked")
    HotMap<K, N, UK> lookUp(int hash, K key, N namespace) {
        for (ChainNode node = chains.chain(hash); node != null; node = node.next) {
            if (node.hash == hash) {
                HotMap<K, N, UK> map = (HotMap<K, N, UK>) node;
                if ((key == map.key || key.equals(map.key))
                        && (namespace == map.namespace || namespace.equals(map.namespace))) {
                    return map;
                }
            }
        }
        return null;
    }

    /** Throws if anything in this table contradicts anything else. For tests: visits every slot. */
    public void checkStructure() {
        chains.checkStructure();
        List<HotSlot<K, N, UK>> all = new ArrayList<>();
        long structure = chains.bytes();
        HotMapCursor<K, N, UK> cursor = cursor();
        for (HotMap<K, N, UK> map = cursor.next(); map != null; map = cursor.next()) {
            map.checkStructure();
            structure += bytesWithoutSlots(map);
            SlotCursor<K, N, UK> inMap = slots(map);
            for (HotSlot<K, N, UK> s = inMap.next(); s != null; s = inMap.next()) {
                all.add(s);
            }
        }
        checkLedger(all, structure);
    }
}
