/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.SegmentId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Where everything is in one segment, read from its trailer and footer alone: so that a downloader
 * fetches only what a span of key groups needs.
 */
public final class SegmentLayout {

    /** Reads a part of a file that may be local or remote. */
    @FunctionalInterface
    public interface RangeReader {
        /** Fills the remaining bytes of {@code target} from {@code position} of the file on. */
        void readFully(long position, ByteBuffer target) throws IOException;
    }

    /** A part of a file. */
    public record ByteRange(long offset, long length) {
        public long end() {
            return offset + length;
        }
    }

    private SegmentLayout() {}

    /**
     * Reads and verifies header, trailer and footer of a segment.
     *
     * @param fileName how errors name the file
     * @param id the identity that the file must have
     * @param fileBytes the length of the file
     * @throws io.strata.flink.format.bytes.FormatException when the file is not that segment
     */
    public static SegmentLayout read(
            String fileName, SegmentId id, long fileBytes, RangeReader source) throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * Returns the ranges that a file must hold to be opened with the span as present: header, data,
     * index and filters of its key groups, footer and trailer; ascending, adjacent ones joined.
     */
    public List<ByteRange> rangesFor(KeyGroupSpan span) {
        throw new UnsupportedOperationException();
    }

    /** Returns true when some run has records in the span. */
    public boolean hasRecords(KeyGroupSpan span) {
        throw new UnsupportedOperationException();
    }
}
