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

    private final KeySorter sorter = new KeySorter();

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
