/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.bytes;

/** A file of a format version that this build no longer reads. */
public final class FormatTooOldException extends FormatException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception; {@code oldestKnown} is the oldest version this build reads. */
    public FormatTooOldException(String file, String what, Object oldestKnown, Object found) {
        super(
                "written by a version of Strata that is no longer read",
                file,
                what,
                "at least " + oldestKnown,
                found,
                null);
    }
}
