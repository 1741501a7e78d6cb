/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.bytes;

import java.io.IOException;

/**
 * A file or a part of one is not what it should be: it names the file, what was looked at, what was
 * expected and what was found.
 */
public abstract class FormatException extends IOException {

    private static final long serialVersionUID = 1L;

    private final String file;
    private final String what;
    private final String expected;
    private final String found;

    FormatException(
            String problem, String file, String what, Object expected, Object found, Throwable by) {
        super(
                file + ": " + problem + ": " + what + ": expected " + expected + ", found " + found,
                by);
        this.file = file;
        this.what = what;
        this.expected = String.valueOf(expected);
        this.found = String.valueOf(found);
    }

    /** Returns the name of the file. */
    public String file() {
        return file;
    }

    /** Returns the part of the file that was looked at. */
    public String what() {
        return what;
    }

    /** Returns what should have been there. */
    public String expected() {
        return expected;
    }

    /** Returns what was there. */
    public String found() {
        return found;
    }
}
