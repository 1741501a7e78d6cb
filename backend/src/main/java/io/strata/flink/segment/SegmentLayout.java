/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.segment.FooterDescriptor;
import io.strata.flink.format.segment.KeyGroupEntry;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RunDirectory;
import io.strata.flink.format.segment.SegmentFooter;
import io.strata.flink.format.segment.SegmentHeader;
import io.strata.flink.format.segment.SegmentHeaderDescriptor;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.format.segment.SegmentTrailer;
import io.strata.flink.format.segment.SegmentTrailerDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Where everything is in one segment, read from its header, trailer and footer alone: so that a
 * downloader fetches only what a span of key groups needs.
 *
 * @param header the header
 * @param footer the directory of runs and key groups
 * @param footerOffset where the footer begins
 * @param fileBytes the length of the file
 */
public record SegmentLayout(
        SegmentHeader header, SegmentFooter footer, long footerOffset, long fileBytes) {

    private static final long MIN_FILE_BYTES =
            SegmentHeaderDescriptor.HEADER_BYTES
                    + FooterDescriptor.FOOTER_HEADER_BYTES
                    + SegmentTrailerDescriptor.TRAILER_BYTES;

    /** Reads a part of a file that may be local or remote. */
    @FunctionalInterface
    public interface RangeReader {
        /** Fills the remaining bytes of {@code target} from {@code position} of the file on. */
        void readFully(long position, ByteBuffer target) throws IOException;
    }

    /** A part of a file. */
    public record ByteRange(long offset, long length) {

        /** Returns the offset after the last byte. */
        public long end() {
            return offset + length;
        }
    }

    /**
     * Reads and verifies header, trailer and footer of a segment.
     *
     * @param fileName how errors name the file
     * @param id the identity that the file must have
     * @param fileBytes the length of the file
     * @throws io.strata.flink.format.bytes.FormatException when the file is not that segment, whole
     *     and in a known version
     */
    public static SegmentLayout read(
            String fileName, SegmentId id, long fileBytes, RangeReader source) throws IOException {
        if (fileBytes < MIN_FILE_BYTES) {
            throw new CorruptFormatException(
                    fileName, "length of the file", "at least " + MIN_FILE_BYTES, fileBytes);
        }
        byte[] headerBytes = read(source, 0, SegmentHeaderDescriptor.HEADER_BYTES);
        SegmentHeader header = SegmentHeader.decode(fileName, id, headerBytes);
        int trailerBytes = SegmentTrailerDescriptor.TRAILER_BYTES;
        byte[] tail = read(source, fileBytes - trailerBytes, trailerBytes);
        SegmentTrailer trailer = SegmentTrailer.decode(fileName, id, fileBytes, tail);
        byte[] footerBytes = read(source, trailer.footerOffset(), trailer.footerBytes());
        SegmentFooter footer = SegmentFooter.decode(fileName, trailer, header, footerBytes);
        return new SegmentLayout(header, footer, trailer.footerOffset(), fileBytes);
    }

    /**
     * Returns the ranges that a file must hold to be opened with the span as present: header, data,
     * index and filters of its key groups, footer and trailer; ascending, adjacent ones joined.
     */
    public List<ByteRange> rangesFor(KeyGroupSpan span) {
        List<ByteRange> ranges = new ArrayList<>();
        join(ranges, 0, SegmentHeaderDescriptor.HEADER_BYTES);
        for (RunDirectory run : footer.runs()) {
            List<KeyGroupEntry> entries = run.within(span);
            if (!entries.isEmpty()) {
                KeyGroupEntry first = entries.get(0);
                KeyGroupEntry last = entries.get(entries.size() - 1);
                join(ranges, first.dataOffset(), last.dataOffset() + last.dataBytes());
                join(ranges, first.indexOffset(), last.indexOffset() + last.indexBytes());
                join(ranges, first.filterOffset(), last.filterOffset() + last.filterBytes());
            }
        }
        join(ranges, footerOffset, fileBytes);
        return ranges;
    }

    /**
     * Returns the ranges of a span in pieces that can be fetched side by side, ascending.
     *
     * @param minBytes pieces are cut where a key group's data ends, and not before they are so long
     */
    public List<ByteRange> piecesFor(KeyGroupSpan span, long minBytes) {
        List<KeyGroupEntry> entries = dataEntries();
        List<ByteRange> pieces = new ArrayList<>();
        for (ByteRange range : rangesFor(span)) {
            long start = range.offset();
            for (KeyGroupEntry entry : entries) {
                long end = entry.dataEnd();
                if (end - start >= minBytes && end < range.end()) {
                    pieces.add(new ByteRange(start, end - start));
                    start = end;
                }
            }
            pieces.add(new ByteRange(start, range.end() - start));
        }
        return pieces;
    }

    /** Returns the key groups of all runs in the order in which their data lies in the file. */
    List<KeyGroupEntry> dataEntries() {
        return footer.runs().stream()
                .flatMap(run -> run.within(KeyGroupSpan.ALL).stream())
                .sorted(Comparator.comparingLong(KeyGroupEntry::dataOffset))
                .toList();
    }

    /** Returns true when some run has records in the span. */
    public boolean hasRecords(KeyGroupSpan span) {
        return footer.runs().stream().anyMatch(run -> !run.within(span).isEmpty());
    }

    private static void join(List<ByteRange> ranges, long from, long to) {
        int last = ranges.size() - 1;
        if (last >= 0 && ranges.get(last).end() == from) {
            long start = ranges.get(last).offset();
            ranges.set(last, new ByteRange(start, to - start));
        } else {
            ranges.add(new ByteRange(from, to - from));
        }
    }

    private static byte[] read(RangeReader source, long position, int length) throws IOException {
        byte[] bytes = new byte[length];
        source.readFully(position, ByteBuffer.wrap(bytes));
        return bytes;
    }
}
