/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.bytes.FormatException;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.PageCompression;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.io.StorageDirectory;
import io.strata.flink.io.StorageOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages as LZ4 blocks; {@link SegmentRoundTripTest} has random ones. */
class CompressedSegmentTest {

    private static final SegmentId ID = new SegmentId(3, 4);
    private static final int PAGE_BYTES = 512;

    @TempDir Path temp;
    private StorageDirectory dir;

    @BeforeEach
    void open() throws IOException {
        dir = LocalStorageDirectory.create(temp.resolve("dir"));
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        assertThat(dir.list()).isEmpty();
        dir.close();
    }

    @Test
    void textTakesLessThanHalf() throws IOException {
        List<TestRecord> records = text(2_000);
        byte[] plain = write(records, PageCompression.NONE);
        byte[] compressed = write(records, PageCompression.LZ4);
        assertThat(compressed.length).isLessThan(plain.length / 2);
        assertThat(read(compressed)).isEqualTo(records);
    }

    @Test
    void whatDoesNotBecomeShorterIsStoredAsItIs() throws IOException {
        List<TestRecord> records = noise(2_000);
        byte[] plain = write(records, PageCompression.NONE);
        byte[] compressed = write(records, PageCompression.LZ4);
        // Two bytes a page for the stored lengths.
        assertThat(compressed.length).isBetween(plain.length, plain.length * 101 / 100);
        assertThat(read(compressed)).isEqualTo(records);
    }

    @Test
    void findsEveryRecord() throws IOException {
        List<TestRecord> records = text(500);
        put(write(records, PageCompression.LZ4));
        Segment segment = Segment.open(dir, ID, KeyGroupSpan.ALL);
        DirectPageSource pages = new DirectPageSource();
        FoundRecord found = new FoundRecord();
        for (TestRecord record : records) {
            assertThat(
                            segment.runs()
                                    .get(0)
                                    .find(
                                            record.keyGroup(),
                                            record.orderKey(),
                                            new ByteSlice(record.key()),
                                            pages,
                                            found))
                    .isTrue();
            assertThat(found.value().toArray()).isEqualTo(record.value());
        }
        segment.release();
    }

    /** A bit may be one that LZ4 does not depend on; then the records are the same. */
    @Test
    void noAlteredBitOfThePagesChangesARecord() throws IOException {
        List<TestRecord> records = text(16);
        byte[] good = write(records, PageCompression.LZ4);
        int detected = 0;
        for (int bit = 40 * Byte.SIZE; bit < good.length * Byte.SIZE; bit++) {
            byte[] altered = good.clone();
            altered[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
            List<TestRecord> found = new ArrayList<>();
            Throwable failure = catchThrowable(() -> found.addAll(read(altered)));
            if (failure == null) {
                assertThat(found).as("bit %d", bit).isEqualTo(records);
            } else {
                assertThat(failure).as("bit %d", bit).isInstanceOf(FormatException.class);
                detected++;
            }
            assertThatThrownBy(() -> scrub(altered))
                    .as("bit %d", bit)
                    .isInstanceOf(FormatException.class);
        }
        assertThat(detected).isGreaterThan((good.length - 40) * Byte.SIZE * 9 / 10);
    }

    @Test
    void aBlockOfAnotherLengthIsNamed() throws IOException {
        byte[] good = write(text(16), PageCompression.LZ4);
        good[41] = -1;
        assertThatThrownBy(() -> read(good))
                .isInstanceOf(CorruptFormatException.class)
                .hasMessageContaining(ID.fileName())
                .hasMessageContaining("page at 40");
    }

    private static List<TestRecord> text(int count) {
        List<TestRecord> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String value =
                    "flight=UA%04d;from=SFO;to=JFK;delay=%d;cancelled=false".formatted(i, i % 60);
            records.add(record(i, count, value.getBytes(StandardCharsets.UTF_8)));
        }
        return records;
    }

    private static List<TestRecord> noise(int count) {
        Random random = new Random(5);
        List<TestRecord> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] value = new byte[100];
            random.nextBytes(value);
            records.add(record(i, count, value));
        }
        return records;
    }

    private static TestRecord record(int i, int count, byte[] value) {
        byte[] key = {(byte) (2 * i / count), (byte) (i >> 8), (byte) i};
        return new TestRecord(
                key[0], i * 0x0123_4567_89ABL, RecordKind.PUT, key, value, SegmentWriter.NO_TTL);
    }

    private byte[] write(List<TestRecord> records, PageCompression compression) throws IOException {
        SegmentOptions options = new SegmentOptions(PAGE_BYTES, 10, compression);
        try (SegmentWriter writer = SegmentWriter.create(dir, ID, options)) {
            writer.beginRun(new RunSpec("state", false, 1));
            for (TestRecord record : records) {
                record.writeTo(writer);
            }
            writer.endRun();
            writer.finish();
        }
        byte[] bytes = Files.readAllBytes(dir.path(ID.fileName()));
        dir.delete(ID.fileName());
        return bytes;
    }

    private void put(byte[] bytes) throws IOException {
        try (StorageOutput out = dir.create(ID.fileName())) {
            out.write(bytes, 0, bytes.length);
        }
    }

    private List<TestRecord> read(byte[] bytes) throws IOException {
        return with(
                bytes,
                segment ->
                        TestRecord.drain(
                                segment.runs()
                                        .get(0)
                                        .scan(KeyGroupSpan.ALL, new StreamingPageSource(700))));
    }

    private void scrub(byte[] bytes) throws IOException {
        with(
                bytes,
                segment -> {
                    segment.verifyData();
                    return List.of();
                });
    }

    /** Reads from an open segment. */
    @FunctionalInterface
    private interface Reader {
        List<TestRecord> read(Segment segment) throws IOException;
    }

    private List<TestRecord> with(byte[] bytes, Reader reader) throws IOException {
        put(bytes);
        boolean opened = false;
        try {
            Segment segment = Segment.open(dir, ID, KeyGroupSpan.ALL);
            opened = true;
            try {
                return reader.read(segment);
            } finally {
                segment.release();
            }
        } finally {
            if (!opened) {
                dir.delete(ID.fileName());
            }
        }
    }
}
