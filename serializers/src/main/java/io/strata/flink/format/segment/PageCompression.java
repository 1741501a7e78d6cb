/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

/** How the pages of a segment are stored. */
public enum PageCompression {

    /** As they are. */
    NONE(0),

    /**
     * Each as one LZ4 block; a page that would not become shorter, as it is. The index has the
     * stored lengths too.
     */
    LZ4(1);

    private final int code;

    PageCompression(int code) {
        this.code = code;
    }

    /** Returns the number in the header. */
    int code() {
        return code;
    }

    /** Returns the compression with a number, or null when there is none. */
    static PageCompression ofCode(int code) {
        for (PageCompression compression : values()) {
            if (compression.code == code) {
                return compression;
            }
        }
        return null;
    }
}
