/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

import static io.strata.flink.format.segment.SegmentTrailerDescriptor.CHECKSUM_OFFSET;
import static io.strata.flink.format.segment.SegmentTrailerDescriptor.FOOTER_BYTES_OFFSET;
import static io.strata.flink.format.segment.SegmentTrailerDescriptor.FOOTER_CHECKSUM_OFFSET;
import static io.strata.flink.format.segment.SegmentTrailerDescriptor.FOOTER_OFFSET_OFFSET;
import static io.strata.flink.format.segment.SegmentTrailerDescriptor.ID_HIGH_OFFSET;
import static io.strata.flink.format.segment.SegmentTrailerDescriptor.ID_LOW_OFFSET;
import static io.strata.flink.format.segment.SegmentTrailerDescriptor.MAGIC;
import static io.strata.flink.format.segment.SegmentTrailerDescriptor.MAGIC_OFFSET;
import static io.strata.flink.format.segment.SegmentTrailerDescriptor.TRAILER_BYTES;
import static io.strata.flink.format.segment.SegmentTrailerDescriptor.VERSION_OFFSET;

import io.strata.flink.format.bytes.BoundedReader;
import io.strata.flink.format.bytes.Checksums;
import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.bytes.FormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The trailer of a segment, from which reading begins; bytes as {@link SegmentTrailerDescriptor}
 * says.
 *
 * @param id the segment's identity
 * @param footerOffset where the footer begins
 * @param footerBytes length of the footer, which ends where the trailer begins
 * @param footerChecksum CRC32C of the footer
 */
public record SegmentTrailer(SegmentId id, long footerOffset, int footerBytes, int footerChecksum) {

    /** Returns the bytes, of the current version. */
    public byte[] encode() {
        byte[] bytes = new byte[TRAILER_BYTES];
        ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(FOOTER_OFFSET_OFFSET, footerOffset);
        out.putLong(FOOTER_BYTES_OFFSET, footerBytes);
        out.putLong(ID_HIGH_OFFSET, id.high());
        out.putLong(ID_LOW_OFFSET, id.low());
        out.putInt(FOOTER_CHECKSUM_OFFSET, footerChecksum);
        out.putInt(VERSION_OFFSET, SegmentVersion.CURRENT);
        out.putInt(CHECKSUM_OFFSET, Checksums.crc32c(bytes, 0, CHECKSUM_OFFSET));
        out.putInt(MAGIC_OFFSET, MAGIC);
        return bytes;
    }

    /**
     * Verifies and decodes the last {@link SegmentTrailerDescriptor#TRAILER_BYTES} bytes of a file.
     *
     * @param id the identity that the file must have
     * @param fileBytes the length of the file
     * @throws FormatException when it is not that segment, whole, in a known version
     */
    public static SegmentTrailer decode(String file, SegmentId id, long fileBytes, byte[] bytes)
            throws FormatException {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int magic = in.getInt(MAGIC_OFFSET);
        if (magic != MAGIC) {
            throw new CorruptFormatException(
                    file,
                    "magic at the end of the file",
                    Checksums.text(MAGIC) + " (STRE)",
                    Checksums.text(magic));
        }
        SegmentVersion.requireKnown(file, "trailer version", in.getInt(VERSION_OFFSET));
        BoundedReader.requireChecksum(
                file,
                "trailer",
                Checksums.crc32c(bytes, 0, CHECKSUM_OFFSET),
                in.getInt(CHECKSUM_OFFSET));
        SegmentId found = new SegmentId(in.getLong(ID_HIGH_OFFSET), in.getLong(ID_LOW_OFFSET));
        if (!found.equals(id)) {
            throw new CorruptFormatException(file, "segment id in the trailer", id, found);
        }
        long offset = in.getLong(FOOTER_OFFSET_OFFSET);
        long length = in.getLong(FOOTER_BYTES_OFFSET);
        long end = fileBytes - TRAILER_BYTES;
        if (offset < SegmentHeaderDescriptor.HEADER_BYTES
                || length < FooterDescriptor.FOOTER_HEADER_BYTES
                || length > Integer.MAX_VALUE
                || offset + length != end) {
            throw new CorruptFormatException(
                    file, "footer", "to end at " + end, "at " + offset + ", " + length + " bytes");
        }
        return new SegmentTrailer(found, offset, (int) length, in.getInt(FOOTER_CHECKSUM_OFFSET));
    }
}
