/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/**
 * One user key of a {@link HotMap}, with its live value. The task thread owns it; a frozen one may
 * also be read by the flush that it was handed to (I7).
 *
 * @param <K> type of the key
 * @param <N> type of the namespace
 * @param <UK> type of the user key
 */
public final class HotSlot<K, N, UK> extends HotNode {

    final HotMap<K, N, UK> map;
    final UK userKey;

    HotSlot(HotMap<K, N, UK> map, UK userKey, int hash) {
        super(hash);
        this.map = map;
        this.userKey = userKey;
    }

    /** The key of the map that this slot belongs to. */
    public K key() {
        return map.key;
    }

    /** The namespace of the map that this slot belongs to. */
    public N namespace() {
        return map.namespace;
    }

    /** The user key; may be null. */
    public UK userKey() {
        return userKey;
    }

    /** The map that this slot was created in; may have left its table meanwhile. */
    public HotMap<K, N, UK> map() {
        return map;
    }

    @Override
    public String toString() {
        return map + "[" + userKey + "]@" + epoch + (isTombstone() ? " deleted" : "");
    }
}
