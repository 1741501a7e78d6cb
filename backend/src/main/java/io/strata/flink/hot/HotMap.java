/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/**
 * The user keys of one (key, namespace) that are in a {@link HotMapTable}. Made small for small
 * maps: 40 bytes, an array of references that starts at two, and 40 bytes a slot. A map without
 * slots leaves its table; handles to it are stale then and have to be looked up again. Task thread
 * only, but for the key and namespace.
 *
 * @param <K> type of the key
 * @param <N> type of the namespace
 * @param <UK> type of the user key
 */
public final class HotMap<K, N, UK> extends ChainNode implements HashIntervals {

    /** Heap bytes of this object: 40 with compressed references. */
    static final int BYTES = (int) HeapLayout.CURRENT.objectBytes(4, 3 * Integer.BYTES);

    /** Heap bytes of the array for each slot, at most: it doubles when it is full. */
    static final int BYTES_PER_SLOT = 2 * HeapLayout.CURRENT.referenceBytes();

    private static final int FIRST_CAPACITY = 2;
    private static final int MAX_CAPACITY = 1 << 30;
    private static final int MIN_SHRINK_CAPACITY = 16;

    final K key;
    final N namespace;
    private ChainNode[] slots;
    private int size;

    /** Twice the number of live slots, plus one when complete. */
    private int liveAndComplete;

    HotMap(K key, N namespace, int hash) {
        super(hash);
        this.key = key;
        this.namespace = namespace;
    }

    /** The key. */
    public K key() {
        return key;
    }

    /** The namespace. */
    public N namespace() {
        return namespace;
    }

    /** The number of user keys that exist and are here. */
    public int liveSlots() {
        return liveAndComplete >> 1;
    }

    /** The number of slots here, tombstones included. */
    public int slots() {
        return size;
    }

    /** Whether all user keys that exist are here: one that is not found exists nowhere below. */
    public boolean isComplete() {
        return (liveAndComplete & 1) != 0;
    }

    /** Whether this map has left its table (its last slot went): look it up again. */
    public boolean isStale() {
        return isDetached();
    }

    void setComplete(boolean complete) {
        liveAndComplete = (liveAndComplete & ~1) | (complete ? 1 : 0);
    }

    void addLive(int delta) {
        liveAndComplete += 2 * delta;
    }

    @SuppressWarnings("unchecked")
    HotSlot<K, N, UK> find(UK userKey, int hash) {
        ChainNode[] array = slots;
        if (array == null) {
            return null;
        }
        for (ChainNode node = array[Chains.index(array, hash)]; node != null; node = node.next) {
            if (node.hash == hash) {
                HotSlot<K, N, UK> slot = (HotSlot<K, N, UK>) node;
                if (userKey == slot.userKey || (userKey != null && userKey.equals(slot.userKey))) {
                    return slot;
                }
            }
        }
        return null;
    }

    /** Links a slot; returns the heap bytes that the array grew by. */
    long link(HotSlot<K, N, UK> slot) {
        long before = arrayBytes();
        if (slots == null) {
            slots = new ChainNode[FIRST_CAPACITY];
        } else if (size >= slots.length && slots.length < MAX_CAPACITY) {
            resize(slots.length * 2);
        }
        int index = Chains.index(slots, slot.hash);
        slot.next = slots[index];
        slots[index] = slot;
        size++;
        return arrayBytes() - before;
    }

    /** Unlinks a slot; returns the heap bytes that the array grew by (negative: shrank). */
    long unlink(HotSlot<K, N, UK> slot) {
        long before = arrayBytes();
        Chains.unlink(slots, slot);
        size--;
        if (slots.length > MIN_SHRINK_CAPACITY && size < slots.length >>> 3) {
            resize(slots.length >>> 2);
        }
        return arrayBytes() - before;
    }

    void replace(HotSlot<K, N, UK> slot, HotSlot<K, N, UK> by) {
        Chains.replace(slots, slot, by);
    }

    /** Heap bytes of this map without its slots. */
    long structureBytes() {
        return BYTES + arrayBytes();
    }

    @Override
    public long end(long position) {
        if (slots == null) {
            return HotHash.END;
        }
        long width = HotHash.END / slots.length;
        return (position & -width) + width;
    }

    @Override
    public ChainNode head(long position) {
        return slots == null ? null : slots[Chains.index(slots, (int) position)];
    }

    private long arrayBytes() {
        return slots == null ? 0 : HeapLayout.CURRENT.referenceArrayBytes(slots.length);
    }

    private void resize(int capacity) {
        ChainNode[] resized = new ChainNode[capacity];
        for (ChainNode head : slots) {
            for (ChainNode node = head; node != null; ) {
                ChainNode next = node.next;
                int index = Chains.index(resized, node.hash);
                node.next = resized[index];
                resized[index] = node;
                node = next;
            }
        }
        slots = resized;
    }

    /** Throws unless the slots are where their hashes say and the counts are right. */
    void checkStructure() {
        int found = 0;
        int live = 0;
        for (int i = 0; slots != null && i < slots.length; i++) {
            found += Chains.check(slots, i, node -> ((HotSlot<?, ?, ?>) node).key() == key);
            for (ChainNode node = slots[i]; node != null; node = node.next) {
                live += ((HotSlot<?, ?, ?>) node).isTombstone() ? 0 : 1;
            }
        }
        if (found != size || live != liveSlots()) {
            throw new IllegalStateException(
                    this + " holds " + found + " slots, " + live + " of them live");
        }
    }

    @Override
    public String toString() {
        return "(" + key + ", " + namespace + ") of " + size + " slots, " + liveSlots() + " live";
    }
}
