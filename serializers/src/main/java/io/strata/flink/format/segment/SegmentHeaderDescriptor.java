/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

/**
 * Layout of the header of a segment.
 *
 * <pre>
 *    0               4               8              12              16
 *   +---------------+---------------+---------------+---------------+
 *   | magic "STRATSEG"              | version       | page bytes    |
 *   +---------------+---------------+---------------+---------------+ 16
 *   | id, high                      | id, low                       |
 *   +---+-----------+---------------+---------------+---------------+ 32
 *   | c | zero      | checksum      |
 *   +---+-----------+---------------+                                 40
 *     c = compression of the pages, {@link PageCompression}
 * </pre>
 */
public final class SegmentHeaderDescriptor {

    /** The first eight bytes of every segment, "STRATSEG" in ASCII. */
    public static final long MAGIC = 0x4745_5354_4152_5453L;

    public static final int MAGIC_OFFSET = 0;
    public static final int VERSION_OFFSET = 8;
    public static final int PAGE_BYTES_OFFSET = 12;
    public static final int ID_HIGH_OFFSET = 16;
    public static final int ID_LOW_OFFSET = 24;
    public static final int COMPRESSION_OFFSET = 32;
    public static final int CHECKSUM_OFFSET = 36;
    public static final int HEADER_BYTES = 40;

    private SegmentHeaderDescriptor() {}
}
