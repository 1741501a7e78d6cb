/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.segment.SegmentWriter;
import java.io.IOException;
import java.util.Arrays;

/**
 * Sorts the entries of a {@link FlushBatch} into record order and writes them as one run.
 *
 * <p>Entries are first counted into their key groups, then the keys of one key group at a time are
 * encoded and sorted, so that memory holds the encoded keys of one key group only. Used by one
 * flush thread at a time; buffers are kept from batch to batch.
 */
final class SortedRunWriter {

    private final KeyGroupSpan keyGroups;
    private final ByteSlice key = new ByteSlice();
    private final ByteSlice value = new ByteSlice();

    /** Encoded keys of the current key group, one after another. */
    private byte[] keyBytes = new byte[1 << 12];

    /** Where each key begins; one more than there are keys, for the end of the last. */
    private int[] keyOffsets = new int[65];

    private long[] orderKeys = new long[64];

    /** Order key and entry position in one sortable number, see {@link #sortKeyGroup}. */
    private long[] sortable = new long[64];

    SortedRunWriter(KeyGroupSpan keyGroups) {
        this.keyGroups = keyGroups;
    }

    void write(FlushBatch batch, SegmentWriter out) throws IOException {
        int[] ends = new int[keyGroups.last() - keyGroups.first() + 2];
        int[] byKeyGroup = partition(batch, ends);
        out.beginRun(batch.spec());
        int from = 0;
        for (int i = 0; i <= keyGroups.last() - keyGroups.first(); i++) {
            if (ends[i] > from) {
                writeKeyGroup(batch, keyGroups.first() + i, byKeyGroup, from, ends[i], out);
                from = ends[i];
            }
        }
        out.endRun();
    }

    /** Returns the entries' indexes ordered by key group; ends[i] is where key group i ends. */
    private int[] partition(FlushBatch batch, int[] ends) {
        int size = batch.size();
        int[] groups = new int[size];
        for (int i = 0; i < size; i++) {
            int group = batch.keyGroup(i) - keyGroups.first();
            if (group < 0 || group > keyGroups.last() - keyGroups.first()) {
                throw new IllegalStateException(
                        "State %s holds a key of key group %d, outside of [%d, %d]."
                                .formatted(
                                        batch.spec().stateName(),
                                        batch.keyGroup(i),
                                        keyGroups.first(),
                                        keyGroups.last()));
            }
            groups[i] = group;
            ends[group + 1]++;
        }
        for (int i = 1; i < ends.length; i++) {
            ends[i] += ends[i - 1];
        }
        // ends[g] is now where group g begins; placing its entries moves it to where it ends
        int[] ordered = new int[size];
        for (int i = 0; i < size; i++) {
            ordered[ends[groups[i]]++] = i;
        }
        return ordered;
    }

    private void writeKeyGroup(
            FlushBatch batch, int keyGroup, int[] indexes, int from, int to, SegmentWriter out)
            throws IOException {
        int count = to - from;
        encodeKeys(batch, indexes, from, count);
        sortKeyGroup(count);
        long positionMask = positionMask(count);
        for (int i = 0; i < count; i++) {
            int position = (int) (sortable[i] & positionMask);
            int index = indexes[from + position];
            key.set(
                    keyBytes,
                    keyOffsets[position],
                    keyOffsets[position + 1] - keyOffsets[position]);
            RecordKind kind = batch.kind(index);
            if (kind == RecordKind.DELETE) {
                value.set(keyBytes, 0, 0);
            } else {
                batch.encodeValue(index, value);
            }
            out.add(keyGroup, orderKeys[position], kind, key, value, SegmentWriter.NO_TTL);
        }
    }

    private void encodeKeys(FlushBatch batch, int[] indexes, int from, int count)
            throws IOException {
        if (orderKeys.length < count) {
            int capacity = Math.max(count, orderKeys.length * 2);
            orderKeys = new long[capacity];
            sortable = new long[capacity];
            keyOffsets = new int[capacity + 1];
        }
        int end = 0;
        for (int i = 0; i < count; i++) {
            orderKeys[i] = batch.encodeKey(indexes[from + i], key);
            keyOffsets[i] = end;
            if (keyBytes.length - end < key.length) {
                keyBytes = Arrays.copyOf(keyBytes, Math.max(keyBytes.length * 2, end + key.length));
            }
            System.arraycopy(key.bytes, key.offset, keyBytes, end, key.length);
            end += key.length;
        }
        keyOffsets[count] = end;
    }

    /**
     * Sorts positions by (order key unsigned, key bytes).
     *
     * <p>The upper bits of the order key and the position share one long, which sorts without
     * objects. A stretch of equal upper bits (the entries of one map share 32) is sorted once more
     * by the lower bits, and what then is still equal by key bytes.
     */
    private void sortKeyGroup(int count) {
        long positionMask = positionMask(count);
        for (int i = 0; i < count; i++) {
            sortable[i] = ((orderKeys[i] ^ Long.MIN_VALUE) & ~positionMask) | i;
        }
        Arrays.sort(sortable, 0, count);
        int from = 0;
        for (int i = 1; i <= count; i++) {
            if (i == count || (sortable[i] & ~positionMask) != (sortable[from] & ~positionMask)) {
                if (i - from > 1) {
                    sortStretch(from, i, positionMask);
                }
                from = i;
            }
        }
    }

    private void sortStretch(int from, int to, long positionMask) {
        int positionBits = Long.bitCount(positionMask);
        for (int i = from; i < to; i++) {
            long position = sortable[i] & positionMask;
            sortable[i] = ((orderKeys[(int) position] & positionMask) << positionBits) | position;
        }
        Arrays.sort(sortable, from, to);
        for (int i = from + 1; i < to; i++) {
            long moving = sortable[i];
            int j = i - 1;
            while (j >= from
                    && comparePositions(
                                    (int) (sortable[j] & positionMask),
                                    (int) (moving & positionMask))
                            > 0) {
                sortable[j + 1] = sortable[j];
                j--;
            }
            sortable[j + 1] = moving;
        }
    }

    private static long positionMask(int count) {
        return (1L << (Integer.SIZE - Integer.numberOfLeadingZeros(count))) - 1;
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
