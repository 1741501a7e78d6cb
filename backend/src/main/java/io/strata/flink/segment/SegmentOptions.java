/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.segment.PageCompression;
import io.strata.flink.format.segment.PageDescriptor;
import io.strata.flink.format.segment.SegmentHeader;
import io.strata.flink.format.segment.SegmentId;

/**
 * How a segment is written; readers take all of it from the file.
 *
 * @param pageBytes bytes of a full page, {@value #MIN_PAGE_BYTES} to {@value #MAX_PAGE_BYTES}
 * @param filterBitsPerRecord bits of the Bloom filter per record, 1 to 64
 * @param compression how pages are stored
 */
public record SegmentOptions(int pageBytes, int filterBitsPerRecord, PageCompression compression) {

    public static final int MIN_PAGE_BYTES = PageDescriptor.MIN_PAGE_BYTES;
    public static final int MAX_PAGE_BYTES = PageDescriptor.MAX_PAGE_BYTES;

    /** Pages of 4 KiB, 10 bits a record. */
    public static final SegmentOptions DEFAULT = new SegmentOptions(4096, 10);

    /** Options without compression. */
    public SegmentOptions(int pageBytes, int filterBitsPerRecord) {
        this(pageBytes, filterBitsPerRecord, PageCompression.NONE);
    }

    /** Returns the header of a segment that is written so. */
    SegmentHeader header(SegmentId id) {
        return new SegmentHeader(id, pageBytes, compression);
    }

    public SegmentOptions {
        if (pageBytes < MIN_PAGE_BYTES || pageBytes > MAX_PAGE_BYTES) {
            throw new IllegalArgumentException(
                    "a page of "
                            + pageBytes
                            + " bytes is not within "
                            + MIN_PAGE_BYTES
                            + ".."
                            + MAX_PAGE_BYTES);
        }
        if (filterBitsPerRecord < 1 || filterBitsPerRecord > 64) {
            throw new IllegalArgumentException(
                    filterBitsPerRecord + " filter bits a record are not within 1..64");
        }
    }
}
