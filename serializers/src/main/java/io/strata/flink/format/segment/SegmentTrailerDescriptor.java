/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

/**
 * Layout of the trailer, the last bytes of a segment.
 *
 * <pre>
 *    0               4               8              12              16
 *   +---------------+---------------+---------------+---------------+
 *   | footer offset                 | footer bytes                  |
 *   +---------------+---------------+---------------+---------------+ 16
 *   | id, high                      | id, low                       |
 *   +---------------+---------------+---------------+---------------+ 32
 *   | footer check. | version       | checksum      | magic "STRE"  |
 *   +---------------+---------------+---------------+---------------+ 48
 * </pre>
 */
public final class SegmentTrailerDescriptor {

    /** The last four bytes of every segment, "STRE" in ASCII. */
    public static final int MAGIC = 0x4552_5453;

    public static final int FOOTER_OFFSET_OFFSET = 0;
    public static final int FOOTER_BYTES_OFFSET = 8;
    public static final int ID_HIGH_OFFSET = 16;
    public static final int ID_LOW_OFFSET = 24;
    public static final int FOOTER_CHECKSUM_OFFSET = 32;
    public static final int VERSION_OFFSET = 36;
    public static final int CHECKSUM_OFFSET = 40;
    public static final int MAGIC_OFFSET = 44;
    public static final int TRAILER_BYTES = 48;

    private SegmentTrailerDescriptor() {}
}
