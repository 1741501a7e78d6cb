/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

/**
 * Layout of a key group's part of the index area, for n pages.
 *
 * <pre>
 *   +-----------------------------------------------+ 0
 *   | first order keys of the pages, 8 bytes each   |
 *   +-----------------------------------------------+ 8 n
 *   | lengths of the pages, less 1, 2 bytes each    |
 *   +-----------------------------------------------+ 10 n
 *   | stored lengths of the pages, less 1, 2 bytes  |  only where pages are compressed
 *   +-----------------------------------------------+ 12 n
 * </pre>
 *
 * <p>The pages follow each other in the data area. In version {@link SegmentVersion#ORDER_KEY_RUNS}
 * there are no lengths: all pages but the last are full.
 */
public final class IndexDescriptor {

    public static final int ORDER_KEY_BYTES = Long.BYTES;
    public static final int LENGTH_BYTES = Short.BYTES;

    private IndexDescriptor() {}

    /** Returns whether the index of a segment of this version has the lengths of pages. */
    public static boolean hasLengths(int version) {
        return version >= SegmentVersion.SHORT_PAGES;
    }

    /** Returns whether the index has the stored lengths of pages, which differ then. */
    public static boolean hasStoredLengths(SegmentHeader header) {
        return header.compression() != PageCompression.NONE;
    }

    /** Returns the length of the index of a key group. */
    public static long bytes(SegmentHeader header, int pages) {
        int lengths = (hasLengths(header.version()) ? 1 : 0) + (hasStoredLengths(header) ? 1 : 0);
        return (long) pages * (ORDER_KEY_BYTES + lengths * LENGTH_BYTES);
    }
}
