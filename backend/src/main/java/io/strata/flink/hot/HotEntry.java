/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/**
 * An entry of a {@link HotTable}: key, namespace and live value. The task thread owns it; a frozen
 * one may also be read by the flush that it was handed to (I7).
 *
 * @param <K> type of the key
 * @param <N> type of the namespace
 */
public final class HotEntry<K, N> extends HotNode {

    final K key;
    final N namespace;

    HotEntry(K key, N namespace, int hash) {
        super(hash);
        this.key = key;
        this.namespace = namespace;
    }

    /** The key, as the task gave it (or as the table's key copier made it). */
    public K key() {
        return key;
    }

    /** The namespace. */
    public N namespace() {
        return namespace;
    }

    @Override
    public String toString() {
        return "(" + key + ", " + namespace + ")@" + epoch + (isTombstone() ? " deleted" : "");
    }
}
