/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

/**
 * Layout of a page: records from its beginning, and at its end a table of them, so that a lookup
 * finds the record count, the offsets and most order keys in neighbouring cache lines.
 *
 * <pre>
 *   +------------------------------------------------+ 0
 *   | records, one after another                     |
 *   +------------------------------------------------+ length - 8 - 10 n
 *   | order keys of the n records, 8 bytes each      |
 *   +------------------------------------------------+ length - 8 - 2 n
 *   | offsets of the n records, 2 bytes each         |
 *   +------------+-------+-------+-------------------+ length - 8
 *   | n, 2 bytes | flags | zero  | checksum, 4 bytes |
 *   +------------+-------+-------+-------------------+ length
 *
 *   record
 *   +--------------------+-----------------------------------+-----------+-------------+
 *   | key bytes, var-int | value bytes * 4 + kind, var-int   | key       | value       |
 *   +--------------------+-----------------------------------+-----------+-------------+
 * </pre>
 *
 * <p>The checksum is the CRC32C of all bytes before it, exclusive-or the lower 32 bits of the
 * page's offset in the file, so that a page read from or written to a wrong place does not pass.
 *
 * <p>In version {@link SegmentVersion#ORDER_KEY_RUNS} all pages but the last of a key group are
 * full, with zeros between records and table.
 *
 * <p>A record that does not fit a page of its own begins one, with {@link #FLAG_CONTINUES}, and
 * goes on, key and value alike, from the beginning of the following pages, which have no table and
 * {@link #FLAG_CONTINUATION}; all of these but the last have {@link #FLAG_CONTINUES}, and no other
 * record shares them.
 */
public final class PageDescriptor {

    /** The record, the only one or the one continued here, goes on in the next page. */
    public static final int FLAG_CONTINUES = 1;

    /** The page begins within a record. */
    public static final int FLAG_CONTINUATION = 2;

    /** Bytes at the end of every page. */
    public static final int TAIL_BYTES = 8;

    /** Bytes in the table for each record. */
    public static final int TABLE_BYTES_PER_RECORD = 10;

    /** Where the parts of the tail begin, counted back from the end of the page. */
    public static final int RECORDS_BEFORE_END = 8;

    public static final int FLAGS_BEFORE_END = 6;
    public static final int ZERO_BEFORE_END = 5;
    public static final int CHECKSUM_BEFORE_END = 4;

    /** The most records in a page. */
    public static final int MAX_RECORDS = (1 << 16) - 1;

    /** The smallest and largest full page. */
    public static final int MIN_PAGE_BYTES = 64;

    public static final int MAX_PAGE_BYTES = 1 << 16;

    /** Bits of the second var-int of a record that hold the kind. */
    public static final int KIND_BITS = 2;

    private PageDescriptor() {}

    /** Returns where the order keys begin in a page of {@code length} bytes and n records. */
    public static int orderKeysOffset(int length, int records) {
        return length - TAIL_BYTES - TABLE_BYTES_PER_RECORD * records;
    }

    /** Returns where the record offsets begin in a page of {@code length} bytes and n records. */
    public static int recordOffsetsOffset(int length, int records) {
        return length - TAIL_BYTES - Short.BYTES * records;
    }

    /** Returns the bytes that a record may take in a page of its own without continuing. */
    public static int singleRecordBytes(int pageBytes) {
        return pageBytes - TAIL_BYTES - TABLE_BYTES_PER_RECORD;
    }

    /** Returns the bytes of a record that a continuation page holds. */
    public static int continuationBytes(int pageBytes) {
        return pageBytes - TAIL_BYTES;
    }

    /** Returns the number of pages that a record takes which does not fit a page of its own. */
    public static long pagesOf(long recordBytes, int pageBytes) {
        long continued = recordBytes - singleRecordBytes(pageBytes);
        int perPage = continuationBytes(pageBytes);
        return 1 + (continued + perPage - 1) / perPage;
    }
}
