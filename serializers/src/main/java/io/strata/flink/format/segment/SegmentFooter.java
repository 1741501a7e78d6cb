/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

import io.strata.flink.format.bytes.BoundedReader;
import io.strata.flink.format.bytes.Checksums;
import io.strata.flink.format.bytes.CorruptFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The footer of a segment: its runs in the order of the file; bytes as {@link FooterDescriptor}
 * says.
 *
 * @param runs the directory of each run
 */
public record SegmentFooter(List<RunDirectory> runs) {

    public SegmentFooter {
        runs = List.copyOf(runs);
    }

    /** Returns the bytes. */
    public byte[] encode() {
        int length = FooterDescriptor.FOOTER_HEADER_BYTES;
        for (RunDirectory run : runs) {
            length = Math.addExact(length, run.encodedBytes());
        }
        ByteBuffer out = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(runs.size()).putInt(0);
        runs.forEach(run -> run.encode(out));
        assert !out.hasRemaining();
        return out.array();
    }

    /**
     * Verifies and decodes the bytes of a footer.
     *
     * @throws CorruptFormatException when the checksum is wrong or the runs do not fill the space
     *     between header and footer exactly
     */
    public static SegmentFooter decode(
            String file, SegmentTrailer trailer, SegmentHeader header, byte[] bytes)
            throws CorruptFormatException {
        BoundedReader.requireChecksum(
                file, "footer", trailer.footerChecksum(), Checksums.crc32c(bytes, 0, bytes.length));
        BoundedReader in = new BoundedReader(file, ByteBuffer.wrap(bytes));
        int count = in.readInt("runs", 0, bytes.length / FooterDescriptor.RUN_HEADER_BYTES);
        in.readZeros("footer padding", Integer.BYTES);
        List<RunDirectory> runs = new ArrayList<>(count);
        long next = SegmentHeaderDescriptor.HEADER_BYTES;
        for (int i = 0; i < count; i++) {
            RunDirectory run = RunDirectory.decode(in, header);
            in.requireEqual("data offset of run " + i, next, run.dataOffset());
            next = run.endOffset();
            runs.add(run);
        }
        in.requireEnd("footer");
        in.requireEqual("end of the last run", trailer.footerOffset(), next);
        return new SegmentFooter(runs);
    }
}
