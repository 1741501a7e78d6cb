/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/**
 * A walk over the slots of one map in the order of their hashes. A slot whose user key stays in the
 * map is returned exactly once, in its present form, whatever is changed, evicted or rehashed
 * meanwhile, even when the map as a whole went and came back; user keys added meanwhile may be
 * missed. Needs no closing. Task thread only.
 *
 * @param <K> type of the key
 * @param <N> type of the namespace
 * @param <UK> type of the user key
 */
public final class SlotCursor<K, N, UK> {

    private final HotMapTable<K, N, UK> table;
    private final ChainCursor cursor = new ChainCursor();
    private HotMap<K, N, UK> map;

    SlotCursor(HotMapTable<K, N, UK> table, HotMap<K, N, UK> map) {
        this.table = table;
        this.map = map;
    }

    /** The next slot, tombstones included; null at the end. Marks it as found. */
    public HotSlot<K, N, UK> next() {
        HotSlot<K, N, UK> slot = nextUnmarked();
        if (slot != null) {
            table.found(slot);
        }
        return slot;
    }

    /** The next slot, tombstones included, not marked as found; null at the end. */
    @SuppressWarnings("unchecked")
    public HotSlot<K, N, UK> nextUnmarked() {
        while (findMap()) {
            HotSlot<K, N, UK> slot = (HotSlot<K, N, UK>) cursor.next(map);
            if (slot != null && slot.isDetached()) {
                slot = findMap() ? map.find(slot.userKey, slot.hash) : null;
                if (slot == null) {
                    continue;
                }
            }
            return slot;
        }
        return null;
    }

    /** Looks the map up again if it went meanwhile; false if it did not come back. */
    private boolean findMap() {
        if (map.isDetached()) {
            HotMap<K, N, UK> again = table.lookUp(map.hash, map.key, map.namespace);
            if (again == null) {
                return false;
            }
            map = again;
        }
        return true;
    }
}
