/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

import io.strata.flink.format.bytes.FormatException;
import io.strata.flink.format.bytes.FormatTooNewException;
import io.strata.flink.format.bytes.FormatTooOldException;

/**
 * The versions of the segment format, one constant with one reason each.
 *
 * <p>A change of any byte that an older reader would misread is a new version: add a constant, move
 * {@link #CURRENT}, keep the golden files of the older ones, and let readers branch on the version
 * in the header. {@link #START} moves up when an old version is no longer read.
 */
public final class SegmentVersion {

    /** The first format. */
    public static final int ORDER_KEY_RUNS = 1;

    /** Every page is as short as it can be, the index has the lengths; pages may be compressed. */
    public static final int SHORT_PAGES = 2;

    /** The oldest version that is read. */
    public static final int START = ORDER_KEY_RUNS;

    /** The version that is written, and the newest that is read. */
    public static final int CURRENT = SHORT_PAGES;

    private SegmentVersion() {}

    /** Refuses a version that is not read. */
    static void requireKnown(String file, String what, int found) throws FormatException {
        if (found > CURRENT) {
            throw new FormatTooNewException(file, what, CURRENT, found);
        }
        if (found < START) {
            throw new FormatTooOldException(file, what, START, found);
        }
    }
}
