/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

import static io.strata.flink.format.segment.SegmentHeaderDescriptor.CHECKSUM_OFFSET;
import static io.strata.flink.format.segment.SegmentHeaderDescriptor.COMPRESSION_OFFSET;
import static io.strata.flink.format.segment.SegmentHeaderDescriptor.HEADER_BYTES;
import static io.strata.flink.format.segment.SegmentHeaderDescriptor.ID_HIGH_OFFSET;
import static io.strata.flink.format.segment.SegmentHeaderDescriptor.ID_LOW_OFFSET;
import static io.strata.flink.format.segment.SegmentHeaderDescriptor.MAGIC;
import static io.strata.flink.format.segment.SegmentHeaderDescriptor.MAGIC_OFFSET;
import static io.strata.flink.format.segment.SegmentHeaderDescriptor.PAGE_BYTES_OFFSET;
import static io.strata.flink.format.segment.SegmentHeaderDescriptor.VERSION_OFFSET;

import io.strata.flink.format.bytes.BoundedReader;
import io.strata.flink.format.bytes.Checksums;
import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.bytes.FormatException;
import io.strata.flink.format.bytes.FormatTooNewException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The header of a segment; bytes as {@link SegmentHeaderDescriptor} says.
 *
 * @param version the version of the format
 * @param id the segment's identity
 * @param pageBytes bytes of a full page
 * @param compression how pages are stored
 */
public record SegmentHeader(int version, SegmentId id, int pageBytes, PageCompression compression) {

    /** Makes a header of the current version. */
    public SegmentHeader(SegmentId id, int pageBytes, PageCompression compression) {
        this(SegmentVersion.CURRENT, id, pageBytes, compression);
    }

    /** Returns the bytes. */
    public byte[] encode() {
        byte[] bytes = new byte[HEADER_BYTES];
        ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(MAGIC_OFFSET, MAGIC);
        out.putInt(VERSION_OFFSET, version);
        out.putInt(PAGE_BYTES_OFFSET, pageBytes);
        out.putLong(ID_HIGH_OFFSET, id.high());
        out.putLong(ID_LOW_OFFSET, id.low());
        out.put(COMPRESSION_OFFSET, (byte) compression.code());
        out.putInt(CHECKSUM_OFFSET, Checksums.crc32c(bytes, 0, CHECKSUM_OFFSET));
        return bytes;
    }

    /**
     * Verifies and decodes the first {@link SegmentHeaderDescriptor#HEADER_BYTES} bytes of a file.
     *
     * @param id the identity that the file must have
     * @throws FormatException when it is not that segment in a known version
     */
    public static SegmentHeader decode(String file, SegmentId id, byte[] bytes)
            throws FormatException {
        BoundedReader in = new BoundedReader(file, ByteBuffer.wrap(bytes));
        long magic = in.readLong("header magic");
        if (magic != MAGIC) {
            throw new CorruptFormatException(
                    file, "header magic", hex(MAGIC) + " (STRATSEG)", hex(magic));
        }
        int version = in.readInt("header version");
        SegmentVersion.requireKnown(file, "header version", version);
        int pageBytes = in.readInt("page bytes");
        SegmentId found = new SegmentId(in.readLong("segment id"), in.readLong("segment id"));
        int code = in.readUnsignedByte("compression");
        in.readZeros("header padding", CHECKSUM_OFFSET - COMPRESSION_OFFSET - 1);
        BoundedReader.requireChecksum(
                file,
                "header",
                Checksums.crc32c(bytes, 0, CHECKSUM_OFFSET),
                in.readInt("header checksum"));
        PageCompression compression = PageCompression.ofCode(code);
        if (compression == null) {
            throw new FormatTooNewException(
                    file, "compression of the pages", PageCompression.LZ4.code(), code);
        }
        if (!found.equals(id)) {
            throw new CorruptFormatException(file, "segment id in the header", id, found);
        }
        if (pageBytes < PageDescriptor.MIN_PAGE_BYTES
                || pageBytes > PageDescriptor.MAX_PAGE_BYTES) {
            throw new CorruptFormatException(
                    file,
                    "page bytes",
                    PageDescriptor.MIN_PAGE_BYTES + ".." + PageDescriptor.MAX_PAGE_BYTES,
                    pageBytes);
        }
        return new SegmentHeader(version, found, pageBytes, compression);
    }

    private static String hex(long value) {
        return String.format("0x%016x", value);
    }
}
