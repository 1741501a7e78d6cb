/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/**
 * A walk over the entries of a {@link HotTable} in hash order. An entry whose key stays in the
 * table is returned exactly once, in its present form, whatever is changed, evicted or rehashed
 * meanwhile; keys added meanwhile may be missed. Needs no closing. Task thread only.
 *
 * @param <K> type of the key
 * @param <N> type of the namespace
 */
public final class HotCursor<K, N> {

    private final HotTable<K, N> table;
    private final HashIntervals chains;
    private final ChainCursor cursor = new ChainCursor();

    HotCursor(HotTable<K, N> table, HashIntervals chains) {
        this.table = table;
        this.chains = chains;
    }

    /** The next entry, tombstones included; null at the end. */
    @SuppressWarnings("unchecked")
    public HotEntry<K, N> next() {
        HotEntry<K, N> entry = (HotEntry<K, N>) cursor.next(chains);
        while (entry != null && entry.isDetached()) {
            entry = table.lookUp(entry.hash, entry.key, entry.namespace);
            if (entry == null) {
                entry = (HotEntry<K, N>) cursor.next(chains);
            }
        }
        return entry;
    }
}
