/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.strata.flink.format.segment.PageCompression;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.io.StorageDirectory;
import io.strata.flink.io.StorageOutput;
import java.io.IOException;
import java.util.List;

/** A segment small enough to look at each of its bytes, with everything that the format has. */
final class SmallSegment {

    static final SegmentId ID = new SegmentId(0x0123_4567_89AB_CDEFL, 0xFEDC_BA98_7654_3210L);

    /** Nearly the smallest pages: two or three records, and one that goes on over three pages. */
    static final SegmentOptions OPTIONS = new SegmentOptions(64, 10);

    static final SegmentOptions COMPRESSED = new SegmentOptions(64, 10, PageCompression.LZ4);

    static final RunSpec COUNTS = new RunSpec("counts", false, 7);
    static final RunSpec ROUTES = new RunSpec("routes", true, 8);

    private static final long NO_TTL = SegmentWriter.NO_TTL;

    private SmallSegment() {}

    static List<TestRecord> counts() {
        return List.of(
                record(3, 0x1000_0000_0000_0001L, RecordKind.PUT, "JFK", "17", NO_TTL),
                record(3, 0x1000_0000_0000_0001L, RecordKind.PUT, "LAX", "4", NO_TTL),
                record(3, 0x8000_0000_0000_0002L, RecordKind.DELETE, "SFO", "", NO_TTL),
                record(3, 0xF000_0000_0000_0003L, RecordKind.APPEND, "BOS", ",9", NO_TTL),
                record(77, 0x4444_0000_0000_0004L, RecordKind.PUT, "ORD", "a".repeat(120), 1000));
    }

    static List<TestRecord> routes() {
        return List.of(
                record(77, 0x0000_00AA_0000_0001L, RecordKind.PUT, "ORD-SEA", "x", 5000),
                record(77, 0x0000_00AA_9999_0002L, RecordKind.PUT, "ORD-DEN", "y", 2000));
    }

    private static TestRecord record(
            int keyGroup, long orderKey, RecordKind kind, String key, String value, long ttl) {
        byte[] composite = ("\0" + key).getBytes(UTF_8);
        composite[0] = (byte) keyGroup;
        return new TestRecord(keyGroup, orderKey, kind, composite, value.getBytes(UTF_8), ttl);
    }

    /** Writes the segment into a directory. */
    static void write(StorageDirectory dir) throws IOException {
        write(dir, OPTIONS);
    }

    /** Writes the segment with other options. */
    static void write(StorageDirectory dir, SegmentOptions options) throws IOException {
        try (SegmentWriter writer = SegmentWriter.create(dir, ID, options)) {
            writer.beginRun(COUNTS);
            for (TestRecord record : counts()) {
                record.writeTo(writer);
            }
            writer.endRun();
            writer.beginRun(ROUTES);
            for (TestRecord record : routes()) {
                record.writeTo(writer);
            }
            writer.endRun();
            writer.finish();
        }
    }

    /** Writes any bytes as the file of the segment. */
    static void write(StorageDirectory dir, byte[] bytes, int length) throws IOException {
        try (StorageOutput out = dir.create(ID.fileName())) {
            out.write(bytes, 0, length);
        }
    }
}
