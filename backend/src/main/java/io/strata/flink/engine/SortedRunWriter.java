/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.segment.KeySorter;
import io.strata.flink.segment.SegmentWriter;
import java.io.IOException;
import java.util.Arrays;

/**
 * Sorts the entries of a {@link FlushBatch} into record order and writes them as one run.
 *
 * <p>Entries are first ordered by their key groups, then the keys of one key group at a time are
 * encoded and sorted, so that memory holds the encoded keys of one key group only. Used by one
 * flush thread at a time; buffers are kept from batch to batch.
 */
final class SortedRunWriter {

    /** Key groups are not counted when there are so many times as many as entries. */
    private static final int FEW = 8;

    private final KeyGroupSpan keyGroups;
    private final ByteSlice key = new ByteSlice();
    private final ByteSlice value = new ByteSlice();

    private final KeySorter sorter = new KeySorter();

    SortedRunWriter(KeyGroupSpan keyGroups) {
        this.keyGroups = keyGroups;
    }

    void write(FlushBatch batch, SegmentWriter out) throws IOException {
        out.beginRun(batch.spec());
        if (batch.size() < (keyGroups.last() - keyGroups.first()) / FEW) {
            writeFew(batch, out);
        } else {
            writeMany(batch, out);
        }
        out.endRun();
    }

    private void writeMany(FlushBatch batch, SegmentWriter out) throws IOException {
        int[] ends = new int[keyGroups.last() - keyGroups.first() + 2];
        int[] byKeyGroup = partition(batch, ends);
        int from = 0;
        for (int i = 0; i <= keyGroups.last() - keyGroups.first(); i++) {
            if (ends[i] > from) {
                writeKeyGroup(batch, keyGroups.first() + i, byKeyGroup, from, ends[i], out);
                from = ends[i];
            }
        }
    }

    /** The same for fewer entries than it is worth to count key groups for. */
    private void writeFew(FlushBatch batch, SegmentWriter out) throws IOException {
        int size = batch.size();
        long[] byKeyGroup = new long[size];
        for (int i = 0; i < size; i++) {
            byKeyGroup[i] = (long) ownedKeyGroup(batch, i) << Integer.SIZE | i;
        }
        Arrays.sort(byKeyGroup);
        int[] indexes = new int[size];
        int from = 0;
        for (int i = 0; i < size; i++) {
            int keyGroup = (int) (byKeyGroup[i] >>> Integer.SIZE);
            indexes[i] = (int) byKeyGroup[i];
            if (i + 1 == size || byKeyGroup[i + 1] >>> Integer.SIZE != keyGroup) {
                writeKeyGroup(batch, keyGroup, indexes, from, i + 1, out);
                from = i + 1;
            }
        }
    }

    /** Returns the entries' indexes ordered by key group; ends[i] is where key group i ends. */
    private int[] partition(FlushBatch batch, int[] ends) {
        int size = batch.size();
        int[] groups = new int[size];
        for (int i = 0; i < size; i++) {
            int group = ownedKeyGroup(batch, i) - keyGroups.first();
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

    private int ownedKeyGroup(FlushBatch batch, int index) {
        int keyGroup = batch.keyGroup(index);
        if (!keyGroups.contains(keyGroup)) {
            throw new IllegalStateException(
                    "State %s holds a key of key group %d, outside of [%d, %d]."
                            .formatted(
                                    batch.spec().stateName(),
                                    keyGroup,
                                    keyGroups.first(),
                                    keyGroups.last()));
        }
        return keyGroup;
    }

    private void writeKeyGroup(
            FlushBatch batch, int keyGroup, int[] indexes, int from, int to, SegmentWriter out)
            throws IOException {
        sorter.clear();
        for (int i = from; i < to; i++) {
            sorter.add(batch.encodeKey(indexes[i], key), key);
        }
        sorter.sort();
        for (int i = 0; i < sorter.count(); i++) {
            int position = sorter.position(i);
            int index = indexes[from + position];
            sorter.key(position, key);
            RecordKind kind = batch.kind(index);
            long ttlTimestamp = SegmentWriter.NO_TTL;
            if (kind == RecordKind.DELETE) {
                value.set(key.bytes, 0, 0);
            } else {
                batch.encodeValue(index, value);
                ttlTimestamp = batch.ttlTimestamp();
            }
            out.add(keyGroup, sorter.orderKey(position), kind, key, value, ttlTimestamp);
        }
    }
}
