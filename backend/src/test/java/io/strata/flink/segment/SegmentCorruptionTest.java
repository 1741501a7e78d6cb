/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.bytes.Checksums;
import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.bytes.FormatException;
import io.strata.flink.format.bytes.FormatTooNewException;
import io.strata.flink.format.bytes.FormatTooOldException;
import io.strata.flink.format.segment.KeyGroupEntry;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.SegmentHeaderDescriptor;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.format.segment.SegmentTrailerDescriptor;
import io.strata.flink.format.segment.SegmentVersion;
import io.strata.flink.io.FaultInjectingDirectory;
import io.strata.flink.io.LocalStorageDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that is not what it should be is named, never read as something else (I4). */
class SegmentCorruptionTest {

    private static final SegmentId ID = SmallSegment.ID;
    private static final int TRAILER_BYTES = SegmentTrailerDescriptor.TRAILER_BYTES;

    @TempDir Path temp;
    private FaultInjectingDirectory dir;
    private byte[] good;

    @BeforeEach
    void open() throws IOException {
        dir = new FaultInjectingDirectory(LocalStorageDirectory.create(temp.resolve("dir")));
        SmallSegment.write(dir);
        good = Files.readAllBytes(dir.path(ID.fileName()));
        dir.delete(ID.fileName());
    }

    @AfterEach
    void nothingLeaks() {
        dir.requireNoOpenHandles();
    }

    @Test
    void theUnalteredFilePasses() throws IOException {
        readAll(good, good.length);
    }

    @Test
    void everyTruncationIsDetected() {
        for (int length = 0; length < good.length; length++) {
            int cut = length;
            assertThatThrownBy(() -> readAll(good, cut))
                    .as("cut after %d bytes", cut)
                    .isInstanceOf(CorruptFormatException.class)
                    .hasMessageContaining(ID.fileName());
        }
    }

    @Test
    void bytesAfterTheEndAreDetected() throws IOException {
        byte[] longer = new byte[good.length + 1];
        System.arraycopy(good, 0, longer, 0, good.length);
        assertThatThrownBy(() -> readAll(longer, longer.length))
                .isInstanceOf(CorruptFormatException.class)
                .hasMessageContaining("end of the file");
    }

    @Test
    void everyFlippedBitIsDetected() {
        for (int bit = 0; bit < good.length * Byte.SIZE; bit++) {
            byte[] altered = good.clone();
            altered[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
            Throwable failure = catchThrowable(() -> readAll(altered, altered.length));
            assertThat(failure)
                    .as("bit %d of byte %d", bit % Byte.SIZE, bit / Byte.SIZE)
                    .isInstanceOf(FormatException.class)
                    .hasMessageContaining(ID.fileName());
            FormatException named = (FormatException) failure;
            assertThat(named.file()).isEqualTo(ID.fileName());
            assertThat(named.what()).isNotEmpty();
            assertThat(named.found()).isNotEqualTo(named.expected());
        }
    }

    /** A flip in the data is found by whoever reads it, not only by a scrub. */
    @Test
    void everyFlippedBitOfTheDataIsDetectedByReading() throws IOException {
        for (KeyGroupEntry entry : layout().footer().runs().get(0).keyGroups()) {
            for (long bit = 0; bit < entry.dataBytes() * Byte.SIZE; bit++) {
                byte[] altered = good.clone();
                int at = (int) (entry.dataOffset() + bit / Byte.SIZE);
                altered[at] ^= (byte) (1 << (bit % Byte.SIZE));
                assertThatThrownBy(() -> readRecords(altered, new StreamingPageSource()))
                        .as("bit %d of key group %d", bit, entry.keyGroup())
                        .isInstanceOf(CorruptFormatException.class)
                        .hasMessageContaining("page at ");
                assertThatThrownBy(() -> readRecords(altered, new DirectPageSource()))
                        .isInstanceOf(CorruptFormatException.class);
            }
        }
    }

    @Test
    void aPageInAnotherPlaceIsDetected() throws IOException {
        KeyGroupEntry entry = layout().footer().runs().get(0).keyGroups().get(1);
        assertThat(entry.pages()).isGreaterThan(2);
        byte[] altered = good.clone();
        int first = (int) entry.dataOffset();
        int length = lengthOfPage(entry, 1);
        assertThat(length).isEqualTo(lengthOfPage(entry, 0));
        System.arraycopy(good, first + length, altered, first, length);
        assertThatThrownBy(() -> readRecords(altered, new StreamingPageSource()))
                .isInstanceOf(CorruptFormatException.class)
                .hasMessageContaining("page at " + first);
    }

    private int lengthOfPage(KeyGroupEntry entry, int page) {
        int lengths = (int) entry.indexOffset() + entry.pages() * Long.BYTES;
        ByteBuffer bytes = ByteBuffer.wrap(good).order(ByteOrder.LITTLE_ENDIAN);
        return 1 + (bytes.getShort(lengths + page * Short.BYTES) & 0xFFFF);
    }

    @Test
    void aFileOfAnotherSegmentIsDetected() throws IOException {
        SegmentId other = new SegmentId(ID.high(), ID.low() + 1);
        Files.write(dir.path(other.fileName()), good);
        assertThatThrownBy(() -> Segment.open(dir, other, KeyGroupSpan.ALL))
                .isInstanceOf(CorruptFormatException.class)
                .hasMessageContaining(other.fileName())
                .hasMessageContaining("expected " + other)
                .hasMessageContaining("found " + ID);
    }

    @Test
    void anotherKindOfFileIsDetected() {
        byte[] text = "not a segment at all, but long enough to be one. ".repeat(4).getBytes(UTF_8);
        assertThatThrownBy(() -> readAll(text, text.length))
                .isInstanceOf(CorruptFormatException.class)
                .hasMessageContaining("STRATSEG");
    }

    @Test
    void aNewerVersionIsRefused() {
        int newer = SegmentVersion.CURRENT + 1;
        for (byte[] altered : new byte[][] {headerVersion(newer), trailerVersion(newer)}) {
            assertThatThrownBy(() -> readAll(altered, altered.length))
                    .isInstanceOf(FormatTooNewException.class)
                    .hasMessageContaining(ID.fileName())
                    .hasMessageContaining("newer version of Strata")
                    .hasMessageContaining("at most " + SegmentVersion.CURRENT)
                    .hasMessageContaining("found " + newer);
        }
    }

    @Test
    void anOlderVersionIsRefused() {
        int older = SegmentVersion.START - 1;
        for (byte[] altered : new byte[][] {headerVersion(older), trailerVersion(older)}) {
            assertThatThrownBy(() -> readAll(altered, altered.length))
                    .isInstanceOf(FormatTooOldException.class)
                    .hasMessageContaining("at least " + SegmentVersion.START)
                    .hasMessageContaining("found " + older);
        }
    }

    @Test
    void anUnknownCompressionIsRefused() {
        ByteBuffer altered = littleEndian(good.clone());
        altered.put(SegmentHeaderDescriptor.COMPRESSION_OFFSET, (byte) 2);
        sign(altered, 0, SegmentHeaderDescriptor.CHECKSUM_OFFSET);
        assertThatThrownBy(() -> readAll(altered.array(), good.length))
                .isInstanceOf(FormatTooNewException.class)
                .hasMessageContaining("compression")
                .hasMessageContaining("found 2");
    }

    private byte[] headerVersion(int version) {
        ByteBuffer altered = littleEndian(good.clone());
        altered.putInt(SegmentHeaderDescriptor.VERSION_OFFSET, version);
        sign(altered, 0, SegmentHeaderDescriptor.CHECKSUM_OFFSET);
        return altered.array();
    }

    private byte[] trailerVersion(int version) {
        ByteBuffer altered = littleEndian(good.clone());
        int trailer = good.length - TRAILER_BYTES;
        altered.putInt(trailer + SegmentTrailerDescriptor.VERSION_OFFSET, version);
        sign(altered, trailer, SegmentTrailerDescriptor.CHECKSUM_OFFSET);
        return altered.array();
    }

    private static void sign(ByteBuffer bytes, int start, int covered) {
        bytes.putInt(start + covered, Checksums.crc32c(bytes.array(), start, covered));
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private SegmentLayout layout() throws IOException {
        return SegmentLayout.read(
                ID.fileName(),
                ID,
                good.length,
                (position, target) -> target.put(good, (int) position, target.remaining()));
    }

    /** Opens and scrubs a file of these bytes. */
    private void readAll(byte[] bytes, int length) throws IOException {
        SmallSegment.write(dir, bytes, length);
        Segment segment;
        try {
            segment = Segment.open(dir, ID, KeyGroupSpan.ALL);
        } catch (Throwable e) {
            dir.delete(ID.fileName());
            throw e;
        }
        try {
            segment.verifyData();
        } finally {
            segment.release();
        }
    }

    /** Reads all records of the first run by a scan and by lookups, without a scrub. */
    private void readRecords(byte[] bytes, PageSource pages) throws IOException {
        SmallSegment.write(dir, bytes, bytes.length);
        Segment segment = Segment.open(dir, ID, KeyGroupSpan.ALL);
        try {
            Run run = segment.runs().get(0);
            FoundRecord found = new FoundRecord();
            for (TestRecord record : SmallSegment.counts()) {
                ByteSlice key = new ByteSlice(record.key());
                assertThat(run.find(record.keyGroup(), record.orderKey(), key, pages, found))
                        .isTrue();
                assertThat(found.value().toArray()).isEqualTo(record.value());
            }
            assertThat(TestRecord.drain(run.scan(KeyGroupSpan.ALL, pages)))
                    .isEqualTo(SmallSegment.counts());
        } finally {
            segment.release();
        }
    }
}
