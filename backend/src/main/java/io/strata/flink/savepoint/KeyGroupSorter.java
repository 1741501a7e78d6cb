/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import io.strata.flink.compaction.Expiry;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.segment.KeySorter;
import io.strata.flink.segment.SegmentWriter;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;

/**
 * Sorts the records of one state in one key group into the order of a run, within a memory limit.
 *
 * <p>What does not fit is sorted in parts, which are spilled and merged. One record always fits,
 * whatever its size. Used by one thread, for one key group after another.
 */
final class KeyGroupSorter implements Closeable {

    /** Order key twice, and where key and value begin. */
    private static final int INDEX_BYTES_PER_RECORD = 2 * Long.BYTES + 2 * Integer.BYTES;

    private static final int INITIAL_VALUE_BYTES = 1 << 16;

    private final String file;
    private final int limitBytes;
    private final SpilledRuns spilled;
    private final KeySorter keys = new KeySorter();
    private byte[] values = new byte[INITIAL_VALUE_BYTES];

    /** Where each value begins; one more than there are records, for the end of the last. */
    private int[] valueOffsets = new int[65];

    private final ByteSlice key = new ByteSlice();
    private final ByteSlice value = new ByteSlice();

    private RunSpec spec;
    private Expiry timestamps = Expiry.NEVER;
    private int keyGroup;
    private long usedBytes;
    private long records;

    /**
     * Creates the sorter.
     *
     * @param file how errors name the savepoint
     * @param limitBytes records and their index in memory at a time
     * @param spilled takes what is more; closed with this sorter
     */
    KeyGroupSorter(String file, int limitBytes, SpilledRuns spilled) {
        this.file = file;
        this.limitBytes = limitBytes;
        this.spilled = spilled;
    }

    /**
     * Begins a key group of a state.
     *
     * @param stateTimestamps reads the timestamps of its values
     */
    void begin(RunSpec stateSpec, Expiry stateTimestamps, int keyGroupToSort) {
        spec = stateSpec;
        timestamps = stateTimestamps;
        keyGroup = keyGroupToSort;
        records = 0;
        forget();
    }

    /** Tells whether the key group has no record yet. */
    boolean isEmpty() {
        return records == 0;
    }

    /**
     * Adds the entry that the reader stands on.
     *
     * @param valueBytes how much of its value counts
     */
    void add(long orderKey, EntryReader source, int valueBytes) throws IOException {
        ByteSlice compositeKey = source.key();
        long recordBytes = (long) compositeKey.length + valueBytes + INDEX_BYTES_PER_RECORD;
        if (keys.count() > 0 && usedBytes + recordBytes > limitBytes) {
            spill();
        }
        keys.add(orderKey, compositeKey);
        addValue(source, valueBytes);
        usedBytes += recordBytes;
        records++;
    }

    /**
     * Writes all records of the key group.
     *
     * @throws CorruptFormatException if a key came twice
     */
    void finish(SegmentWriter target) throws IOException {
        if (spilled.isEmpty()) {
            write(target);
        } else {
            spill();
            long written = spilled.drainTo(target, timestamps);
            if (written != records) {
                throw keyTwice(records - written + " of them came twice");
            }
        }
        forget();
    }

    private void addValue(EntryReader source, int valueBytes) throws IOException {
        int count = keys.count();
        if (count == valueOffsets.length) {
            valueOffsets = Arrays.copyOf(valueOffsets, count * 2);
        }
        int end = valueOffsets[count - 1];
        for (int left = valueBytes; left > 0; ) {
            int part = Math.min(left, EntryReader.PART_BYTES);
            if (values.length - end < part) {
                int wanted = Math.addExact(end, part);
                int doubled = (int) Math.min(2L * values.length, Integer.MAX_VALUE - 8);
                values = Arrays.copyOf(values, Math.max(doubled, wanted));
            }
            source.readValue(values, end, part);
            end += part;
            left -= part;
        }
        valueOffsets[count] = end;
    }

    private void spill() throws IOException {
        try (OneRunSegment part = spilled.begin(spec)) {
            write(part.records());
            spilled.add(part.finish(), timestamps);
        }
        forget();
    }

    private void write(SegmentWriter target) throws IOException {
        keys.sort();
        ByteSlice before = new ByteSlice();
        long orderKeyBefore = 0;
        for (int i = 0; i < keys.count(); i++) {
            int position = keys.position(i);
            long orderKey = keys.orderKey(position);
            keys.key(position, key);
            if (i > 0 && orderKey == orderKeyBefore && key.contentEquals(before)) {
                throw keyTwice(key);
            }
            value.set(
                    values,
                    valueOffsets[position],
                    valueOffsets[position + 1] - valueOffsets[position]);
            long ttlTimestamp = timestamps.timestamp(value);
            target.add(keyGroup, orderKey, RecordKind.PUT, key, value, ttlTimestamp);
            before.set(key);
            orderKeyBefore = orderKey;
        }
    }

    private void forget() {
        keys.clear();
        usedBytes = 0;
        if (values.length > 2L * limitBytes && values.length > INITIAL_VALUE_BYTES) {
            values = new byte[INITIAL_VALUE_BYTES]; // one large value made it that large
        }
    }

    private CorruptFormatException keyTwice(Object found) {
        return new CorruptFormatException(
                file,
                "keys of state '%s' in key group %d".formatted(spec.stateName(), keyGroup),
                "each of them once",
                found);
    }

    @Override
    public void close() {
        spilled.close();
    }
}
