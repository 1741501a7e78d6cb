/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.ByteSlice;
import java.util.Arrays;

/**
 * Brings the composite keys of one key group into the order of a run: by order key as unsigned,
 * then by key bytes.
 *
 * <p>Keys are added one after another and stay where they were put; sorting moves only numbers, and
 * makes no objects. Used by one thread; buffers are kept from key group to key group.
 */
public final class KeySorter {

    private static final int INITIAL_KEYS = 64;
    private static final int INITIAL_BYTES = 1 << 12;

    /** Buffers that have grown beyond this are not kept. */
    private static final int KEPT_BYTES = 1 << 20;

    /** Added keys, one after another. */
    private byte[] keyBytes = new byte[INITIAL_BYTES];

    /** Where each key begins; one more than there are keys, for the end of the last. */
    private int[] keyOffsets = new int[INITIAL_KEYS + 1];

    private long[] orderKeys = new long[INITIAL_KEYS];
    private int count;

    /** Order key and position in one sortable number, see {@link #sort}. */
    private long[] sortable = new long[INITIAL_KEYS];

    private long positionMask;

    /** Forgets all keys, and does not keep the memory of very many. */
    public void clear() {
        count = 0;
        if (keyBytes.length > KEPT_BYTES) {
            keyBytes = new byte[INITIAL_BYTES];
            keyOffsets = new int[INITIAL_KEYS + 1];
            orderKeys = new long[INITIAL_KEYS];
            sortable = new long[INITIAL_KEYS];
        }
    }

    /** Copies a key; its position is the number of keys added before it. */
    public void add(long orderKey, ByteSlice key) {
        if (count == orderKeys.length) {
            orderKeys = Arrays.copyOf(orderKeys, count * 2);
            keyOffsets = Arrays.copyOf(keyOffsets, count * 2 + 1);
        }
        int end = keyOffsets[count];
        if (keyBytes.length - end < key.length) {
            int wanted = Math.addExact(end, key.length);
            int doubled = (int) Math.min(2L * keyBytes.length, Integer.MAX_VALUE - 8);
            keyBytes = Arrays.copyOf(keyBytes, Math.max(doubled, wanted));
        }
        System.arraycopy(key.bytes, key.offset, keyBytes, end, key.length);
        orderKeys[count++] = orderKey;
        keyOffsets[count] = end + key.length;
    }

    /** Returns how many keys were added. */
    public int count() {
        return count;
    }

    /** Returns the order key at a position. */
    public long orderKey(int position) {
        return orderKeys[position];
    }

    /** Points {@code out} at the key at a position, valid until the next {@link #add}. */
    public void key(int position, ByteSlice out) {
        out.set(keyBytes, keyOffsets[position], keyOffsets[position + 1] - keyOffsets[position]);
    }

    /** Returns the position of the key at a rank; only between {@link #sort} and the next add. */
    public int position(int rank) {
        return (int) (sortable[rank] & positionMask);
    }

    /**
     * Sorts all keys.
     *
     * <p>The upper bits of the order key and the position share one long, which sorts without
     * objects. A stretch of equal upper bits (the entries of one map share 32) is sorted once more
     * by the lower bits, and what then is still equal by key bytes.
     */
    public void sort() {
        if (sortable.length < count) {
            sortable = new long[orderKeys.length];
        }
        positionMask = (1L << (Integer.SIZE - Integer.numberOfLeadingZeros(count))) - 1;
        for (int i = 0; i < count; i++) {
            sortable[i] = ((orderKeys[i] ^ Long.MIN_VALUE) & ~positionMask) | i;
        }
        Arrays.sort(sortable, 0, count);
        int from = 0;
        for (int i = 1; i <= count; i++) {
            if (i == count || (sortable[i] & ~positionMask) != (sortable[from] & ~positionMask)) {
                if (i - from > 1) {
                    sortStretch(from, i);
                }
                from = i;
            }
        }
    }

    private void sortStretch(int from, int to) {
        int positionBits = Long.bitCount(positionMask);
        for (int i = from; i < to; i++) {
            int position = position(i);
            sortable[i] = ((orderKeys[position] & positionMask) << positionBits) | position;
        }
        Arrays.sort(sortable, from, to);
        for (int i = from + 1; i < to; i++) {
            long moving = sortable[i];
            int j = i - 1;
            while (j >= from && comparePositions(position(j), (int) (moving & positionMask)) > 0) {
                sortable[j + 1] = sortable[j];
                j--;
            }
            sortable[j + 1] = moving;
        }
    }

    private int comparePositions(int a, int b) {
        int byOrderKey = Long.compareUnsigned(orderKeys[a], orderKeys[b]);
        return byOrderKey != 0
                ? byOrderKey
                : Arrays.compareUnsigned(
                        keyBytes,
                        keyOffsets[a],
                        keyOffsets[a + 1],
                        keyBytes,
                        keyOffsets[b],
                        keyOffsets[b + 1]);
    }
}
