/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.bytes;

/** Bytes that no version of the format can have written: cut short, altered or of another file. */
public final class CorruptFormatException extends FormatException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception; the message is made from the four parts. */
    public CorruptFormatException(String file, String what, Object expected, Object found) {
        this(file, what, expected, found, null);
    }

    /** Creates the exception with the failure that revealed the corruption. */
    public CorruptFormatException(
            String file, String what, Object expected, Object found, Throwable cause) {
        super("corrupt", file, what, expected, found, cause);
    }
}
