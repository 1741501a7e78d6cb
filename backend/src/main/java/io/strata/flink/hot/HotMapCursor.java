/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/**
 * A walk over the maps of a {@link HotMapTable} in hash order. A map that stays in the table is
 * returned exactly once, whatever is changed, evicted or rehashed meanwhile; one that left it and
 * came back may be missed. Needs no closing. Task thread only.
 *
 * @param <K> type of the key
 * @param <N> type of the namespace
 * @param <UK> type of the user key
 */
public final class HotMapCursor<K, N, UK> {

    private final HotMapTable<K, N, UK> table;
    private final HashIntervals chains;
    private final ChainCursor cursor = new ChainCursor();

    HotMapCursor(HotMapTable<K, N, UK> table, HashIntervals chains) {
        this.table = table;
        this.chains = chains;
    }

    /** The next map, also one that holds only tombstones; null at the end. */
    @SuppressWarnings("unchecked")
    public HotMap<K, N, UK> next() {
        HotMap<K, N, UK> map = (HotMap<K, N, UK>) cursor.next(chains);
        while (map != null && map.isDetached()) {
            map = table.lookUp(map.hash, map.key, map.namespace);
            if (map == null) {
                map = (HotMap<K, N, UK>) cursor.next(chains);
            }
        }
        return map;
    }
}
