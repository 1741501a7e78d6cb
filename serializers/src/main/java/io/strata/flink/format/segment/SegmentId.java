/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

import java.util.HexFormat;

/**
 * The identity of a segment: 128 random bits that it carries in its header and trailer, and its
 * name.
 *
 * @param high the upper 64 bits
 * @param low the lower 64 bits
 */
public record SegmentId(long high, long low) {

    /** What the name of every segment file ends in. */
    public static final String FILE_SUFFIX = ".seg";

    private static final int DIGITS = 32;

    /** Returns the name of the segment's file: 32 hexadecimal digits and {@link #FILE_SUFFIX}. */
    public String fileName() {
        return this + FILE_SUFFIX;
    }

    /**
     * Returns the identity in a file name made by {@link #fileName} or in its 32 digits alone.
     *
     * @throws IllegalArgumentException when the text is neither
     */
    public static SegmentId parse(String text) {
        String digits =
                text.endsWith(FILE_SUFFIX)
                        ? text.substring(0, text.length() - FILE_SUFFIX.length())
                        : text;
        if (digits.length() != DIGITS || !digits.matches("[0-9a-f]+")) {
            throw new IllegalArgumentException("not the name of a segment: " + text);
        }
        return new SegmentId(
                Long.parseUnsignedLong(digits.substring(0, DIGITS / 2), 16),
                Long.parseUnsignedLong(digits.substring(DIGITS / 2), 16));
    }

    /** Returns the 32 hexadecimal digits. */
    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(high) + hex.toHexDigits(low);
    }
}
