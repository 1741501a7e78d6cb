/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.bytes;

/**
 * A file of a format version, or with a feature, that this build does not know: it was written by a
 * newer Strata.
 */
public final class FormatTooNewException extends FormatException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception; {@code newestKnown} is the newest version this build reads. */
    public FormatTooNewException(String file, String what, Object newestKnown, Object found) {
        super(
                "written by a newer version of Strata, upgrade to read it",
                file,
                what,
                "at most " + newestKnown,
                found,
                null);
    }
}
