/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.io;

import java.util.function.Predicate;

/**
 * What goes wrong with one operation on a file.
 *
 * @param kind what happens
 * @param operation on which kind of operation
 * @param file on which files, by name
 * @param skip how many of the matching operations succeed before
 * @param times how many of the operations after that are hit
 */
public record Fault(Kind kind, Operation operation, Predicate<String> file, int skip, int times) {

    /** What happens. */
    public enum Kind {
        /** The operation does nothing and throws. */
        FAIL,
        /** A write brings a half of its bytes to the file and throws. */
        TEAR,
        /** A write brings a half of its bytes to the file and claims success; a read ends early. */
        SHORTEN,
        /** A bit of what is written or read is flipped, without a word. */
        FLIP,
        /** Like {@link #FAIL}, with the message of a full disk. */
        FILL
    }

    /** The operations that can go wrong. */
    public enum Operation {
        CREATE,
        WRITE,
        CLOSE_OUTPUT,
        OPEN,
        READ,
        DELETE,
        LINK
    }

    /** Hits every matching operation on any file. */
    public static Fault always(Kind kind, Operation operation) {
        return new Fault(kind, operation, name -> true, 0, Integer.MAX_VALUE);
    }

    /** Hits one matching operation on any file, after {@code skip} of them. */
    public static Fault once(Kind kind, Operation operation, int skip) {
        return new Fault(kind, operation, name -> true, skip, 1);
    }

    /** Returns the same fault on some files only. */
    public Fault on(Predicate<String> some) {
        return new Fault(kind, operation, some, skip, times);
    }
}
