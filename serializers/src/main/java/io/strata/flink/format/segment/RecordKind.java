/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

/** What a record does to its key. */
public enum RecordKind {
    /** The key has this value; whatever older records say no longer counts. */
    PUT,
    /** The key is absent; whatever older records say no longer counts. */
    DELETE,
    /** These bytes follow what older records hold of the key. */
    APPEND;

    private static final RecordKind[] BY_CODE = values();

    /** Returns the two-bit code of the format. */
    public int code() {
        return ordinal();
    }

    /** Returns the kind of a code, or null when no kind has it. */
    public static RecordKind ofCode(int code) {
        return code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
