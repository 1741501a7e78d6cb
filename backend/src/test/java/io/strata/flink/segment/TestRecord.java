/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.RecordKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** A record as tests know it. */
record TestRecord(
        int keyGroup, long orderKey, RecordKind kind, byte[] key, byte[] value, long ttlTimestamp) {

    /** The order of records in a run. */
    static final Comparator<TestRecord> ORDER =
            Comparator.comparingInt(TestRecord::keyGroup)
                    .thenComparing(TestRecord::orderKey, Long::compareUnsigned)
                    .thenComparing(TestRecord::key, Arrays::compareUnsigned);

    static TestRecord put(int keyGroup, long orderKey, String key, String value) {
        return new TestRecord(
                keyGroup,
                orderKey,
                RecordKind.PUT,
                ByteSlice.utf8(key).toArray(),
                ByteSlice.utf8(value).toArray(),
                SegmentWriter.NO_TTL);
    }

    /** Writes the record at once. */
    void writeTo(SegmentWriter writer) throws IOException {
        writer.add(
                keyGroup, orderKey, kind, new ByteSlice(key), new ByteSlice(value), ttlTimestamp);
    }

    /** Writes the record in parts of the given size. */
    void writeTo(SegmentWriter writer, int partBytes) throws IOException {
        writer.beginRecord(
                keyGroup, orderKey, kind, new ByteSlice(key), value.length, ttlTimestamp);
        for (int done = 0; done < value.length; done += partBytes) {
            writer.writeValue(value, done, Math.min(partBytes, value.length - done));
        }
        writer.endRecord();
    }

    /** Returns what a cursor has left, with values read as a whole. */
    static List<TestRecord> drain(RunCursor cursor) throws IOException {
        List<TestRecord> records = new ArrayList<>();
        while (cursor.next()) {
            byte[] value = cursor.value().toArray();
            if (value.length != cursor.valueBytes()) {
                throw new AssertionError("value of " + value.length + " bytes");
            }
            records.add(
                    new TestRecord(
                            cursor.keyGroup(),
                            cursor.orderKey(),
                            cursor.kind(),
                            cursor.key().toArray(),
                            value,
                            SegmentWriter.NO_TTL));
        }
        return records;
    }

    /** TTL timestamps are not kept per record, so they do not count here. */
    @Override
    public boolean equals(Object other) {
        return other instanceof TestRecord that
                && ORDER.compare(this, that) == 0
                && kind == that.kind
                && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(key);
    }

    @Override
    public String toString() {
        return String.format(
                "%s(%d, %016x, %s = %s)",
                kind, keyGroup, orderKey, new ByteSlice(key), new ByteSlice(value));
    }
}
