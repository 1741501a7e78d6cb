/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.io.Fault;
import io.strata.flink.io.Fault.Kind;
import io.strata.flink.io.Fault.Operation;
import io.strata.flink.io.FaultInjectingDirectory;
import io.strata.flink.io.LocalStorageDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a writer refuses, and that nothing stays behind when writing fails. */
class SegmentWriterTest {

    private static final String NAME = SmallSegment.ID.fileName();
    private static final RunSpec SPEC = SmallSegment.COUNTS;

    private static final int GROUP_RECORDS = 20_000;
    private static final int MANY_RECORDS = 10 * GROUP_RECORDS;

    @TempDir Path temp;
    private FaultInjectingDirectory dir;

    @BeforeEach
    void open() throws IOException {
        dir = new FaultInjectingDirectory(LocalStorageDirectory.create(temp.resolve("dir")));
    }

    @AfterEach
    void nothingLeaks() throws IOException {
        dir.requireNoOpenHandles();
        dir.close();
    }

    private SegmentWriter writer() throws IOException {
        return SegmentWriter.create(dir, SmallSegment.ID, SmallSegment.OPTIONS);
    }

    @Test
    void refusesRecordsOutOfOrderAndNamesBoth() throws IOException {
        TestRecord record = TestRecord.put(5, 0x8000_0000_0000_0000L, "bb", "v");
        List<TestRecord> notAfterIt =
                List.of(
                        TestRecord.put(4, -1, "zz", "v"),
                        TestRecord.put(5, 0x7FFF_FFFF_FFFF_FFFFL, "zz", "v"),
                        TestRecord.put(5, 0x8000_0000_0000_0000L, "ba", "v"),
                        TestRecord.put(5, 0x8000_0000_0000_0000L, "b", "v"),
                        record);
        for (TestRecord second : notAfterIt) {
            try (SegmentWriter writer = writer()) {
                writer.beginRun(SPEC);
                record.writeTo(writer);
                assertThatThrownBy(() -> second.writeTo(writer))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(SPEC.stateName())
                        .hasMessageContaining("(5, 8000000000000000, 0x6262)")
                        .hasMessageContaining(new ByteSlice(second.key()).toString());
            }
            assertThat(dir.list()).isEmpty();
        }
    }

    @Test
    void takesRecordsInUnsignedOrder() throws IOException {
        try (SegmentWriter writer = writer()) {
            writer.beginRun(SPEC);
            TestRecord.put(0, 1, "\u007f", "v").writeTo(writer);
            TestRecord.put(0, 1, "\u0080", "v").writeTo(writer);
            TestRecord.put(0, Long.MAX_VALUE, "a", "v").writeTo(writer);
            TestRecord.put(0, Long.MIN_VALUE, "a", "v").writeTo(writer);
            TestRecord.put(0, -1, "a", "v").writeTo(writer);
            TestRecord.put(1, 0, "a", "v").writeTo(writer);
            writer.endRun();
            writer.finish();
        }
    }

    @Test
    void refusesCallsOutOfTurn() throws IOException {
        ByteSlice key = ByteSlice.utf8("k");
        byte[] bytes = new byte[9];
        try (SegmentWriter writer = writer()) {
            assertRefused(writer::endRun);
            assertRefused(() -> TestRecord.put(0, 0, "a", "b").writeTo(writer));
            writer.beginRun(SPEC);
            assertRefused(() -> writer.beginRun(SPEC));
            assertRefused(writer::finish);
            assertRefused(writer::endRecord);
            writer.beginRecord(0, 0, RecordKind.PUT, key, 5, SegmentWriter.NO_TTL);
            writer.writeValue(bytes, 0, 3);
            assertRefused(writer::endRecord);
            assertRefused(writer::endRun);
            assertRefused(() -> writer.writeValue(bytes, 0, 3));
            writer.writeValue(bytes, 0, 2);
            assertRefused(() -> TestRecord.put(0, 9, "a", "b").writeTo(writer));
            writer.endRecord();
            writer.endRun();
            writer.finish();
            assertRefused(writer::finish);
        }
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesImpossibleRecords() throws IOException {
        ByteSlice key = ByteSlice.utf8("k");
        try (SegmentWriter writer = writer()) {
            writer.beginRun(SPEC);
            assertThatThrownBy(() -> writer.beginRecord(-1, 0, RecordKind.PUT, key, 0, 0))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> writer.beginRecord(32768, 0, RecordKind.PUT, key, 0, 0))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> writer.beginRecord(0, 0, RecordKind.PUT, key, -1, 0))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> writer.beginRecord(0, 0, RecordKind.DELETE, key, 1, 0))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void refusesImpossibleOptions() {
        assertThatThrownBy(() -> new SegmentOptions(63, 10)).hasMessageContaining("63");
        assertThatThrownBy(() -> new SegmentOptions(65537, 10)).hasMessageContaining("65537");
        assertThatThrownBy(() -> new SegmentOptions(4096, 0)).hasMessageContaining("0 filter");
        assertThatThrownBy(() -> new SegmentOptions(4096, 65)).hasMessageContaining("65 filter");
    }

    @Test
    void refusesASegmentThatExists() throws IOException {
        SmallSegment.write(dir);
        assertThatThrownBy(this::writer).isInstanceOf(IOException.class).hasMessageContaining(NAME);
        assertThat(dir.exists(NAME)).isTrue();
    }

    @Test
    void runsWithoutRecordsLeaveNoTrace() throws IOException {
        try (SegmentWriter writer = writer()) {
            writer.beginRun(SPEC);
            writer.endRun();
            writer.beginRun(SmallSegment.ROUTES);
            SmallSegment.routes().get(0).writeTo(writer);
            writer.endRun();
            writer.beginRun(SPEC);
            writer.endRun();
            assertThat(writer.bytesWritten()).isPositive();
            writer.finish();
        }
        Segment segment = Segment.open(dir, SmallSegment.ID, KeyGroupSpan.ALL);
        assertThat(segment.runs()).hasSize(1);
        assertThat(segment.runs().get(0).spec()).isEqualTo(SmallSegment.ROUTES);
        segment.release();
    }

    @Test
    void aSegmentWithoutRunsIsASegment() throws IOException {
        try (SegmentWriter writer = writer()) {
            writer.finish();
        }
        Segment segment = Segment.open(dir, SmallSegment.ID, KeyGroupSpan.ALL);
        assertThat(segment.runs()).isEmpty();
        segment.verifyData();
        segment.release();
    }

    @Test
    void aValueOfManyPagesStreamsThroughSmallMemory() throws IOException {
        int parts = 300;
        byte[] part = new byte[100_000];
        try (SegmentWriter writer =
                SegmentWriter.create(dir, SmallSegment.ID, SegmentOptions.DEFAULT)) {
            writer.beginRun(SPEC);
            ByteSlice key = ByteSlice.utf8("big");
            long valueBytes = (long) parts * part.length;
            writer.beginRecord(0, 7, RecordKind.PUT, key, valueBytes, SegmentWriter.NO_TTL);
            for (int i = 0; i < parts; i++) {
                part[i] = (byte) i;
                writer.writeValue(part, 0, part.length);
            }
            writer.endRecord();
            TestRecord.put(0, 8, "next", "v").writeTo(writer);
            writer.endRun();
            writer.finish();
        }
        Segment segment = Segment.open(dir, SmallSegment.ID, KeyGroupSpan.ALL);
        RunCursor cursor = segment.runs().get(0).scan(KeyGroupSpan.ALL, new StreamingPageSource());
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.valueBytes()).isEqualTo((long) parts * part.length);
        byte[] read = new byte[part.length];
        byte[] expected = new byte[part.length];
        for (int i = 0; i < parts; i++) {
            expected[i] = (byte) i;
            assertThat(cursor.readValue(read, 0, read.length)).isEqualTo(read.length);
            assertThat(read).isEqualTo(expected);
        }
        assertThat(cursor.readValue(read, 0, 1)).isEqualTo(-1);
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.key().toArray()).isEqualTo(ByteSlice.utf8("next").toArray());
        segment.release();
    }

    @Test
    void aFailedWriteLeavesNoFile() throws IOException {
        for (Kind kind : new Kind[] {Kind.FAIL, Kind.TEAR, Kind.FILL}) {
            for (int skip = 0; failsToWrite(Fault.once(kind, Operation.WRITE, skip)); skip++) {
                assertThat(dir.list()).isEmpty();
                dir.requireNoOpenHandles();
            }
            assertThat(dir.faults()).as("%s", kind).isPositive();
            dir.delete(NAME);
        }
        assertThat(failsToWrite(Fault.once(Kind.FAIL, Operation.CLOSE_OUTPUT, 0))).isTrue();
        assertThat(failsToWrite(Fault.once(Kind.FAIL, Operation.CREATE, 0))).isTrue();
        assertThat(dir.list()).isEmpty();
    }

    /** Silent damage shows at the latest when the data is read. */
    @Test
    void aWriteThatLiesIsFoundByReading() throws IOException {
        for (Kind kind : new Kind[] {Kind.SHORTEN, Kind.FLIP}) {
            dir.heal();
            dir.inject(Fault.once(kind, Operation.WRITE, 0));
            SmallSegment.write(dir);
            assertThatThrownBy(this::openAndVerify)
                    .as("%s", kind)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(NAME);
            if (dir.exists(NAME)) {
                dir.delete(NAME);
            }
        }
    }

    private void openAndVerify() throws IOException {
        Segment segment = Segment.open(dir, SmallSegment.ID, KeyGroupSpan.ALL);
        try {
            segment.verifyData();
        } finally {
            segment.release();
        }
    }

    private boolean failsToWrite(Fault fault) {
        dir.heal();
        dir.inject(fault);
        try {
            SmallSegment.write(dir);
            return false;
        } catch (IOException e) {
            assertThat(e).hasMessageContaining(NAME);
            return true;
        }
    }

    /** 200,000 records have 1.6 MB of filters here, more than a writer keeps in memory. */
    @Test
    void filtersOfALargeRunWaitInAFile() throws IOException {
        writeManyRecords();
        assertThat(dir.list()).containsExactly(NAME);
        Segment segment = Segment.open(dir, SmallSegment.ID, KeyGroupSpan.ALL);
        Run run = segment.runs().get(0);
        int found = 0;
        for (int i = 0; i < MANY_RECORDS; i++) {
            assertThat(run.mayContain(i / GROUP_RECORDS, orderKey(i))).isTrue();
            found += run.mayContain(i / GROUP_RECORDS, orderKey(i) + 1) ? 1 : 0;
        }
        assertThat(found).isLessThan(100);
        segment.release();
    }

    /** Wherever writing stops, neither the segment nor a file of filters is left. */
    @Test
    void leavesNoFileOfFiltersBehind() throws IOException {
        for (Operation operation : List.of(Operation.CREATE, Operation.WRITE, Operation.READ)) {
            dir.inject(Fault.once(Kind.FAIL, operation, 0).on(name -> name.endsWith(".filters")));
            assertThatThrownBy(this::writeManyRecords).isInstanceOf(IOException.class);
            dir.heal();
            assertThat(dir.list()).isEmpty();
        }
    }

    private void writeManyRecords() throws IOException {
        SegmentOptions options = new SegmentOptions(SegmentOptions.MIN_PAGE_BYTES, 64);
        try (SegmentWriter writer = SegmentWriter.create(dir, SmallSegment.ID, options)) {
            writer.beginRun(SPEC);
            for (int i = 0; i < MANY_RECORDS; i++) {
                TestRecord.put(i / GROUP_RECORDS, orderKey(i), "k", "v").writeTo(writer);
            }
            assertThat(dir.list()).contains(NAME + ".filters");
            writer.endRun();
            writer.finish();
        }
    }

    private static long orderKey(int i) {
        return i % GROUP_RECORDS * 0x0000_9E37_79B9_7F4AL;
    }
}
