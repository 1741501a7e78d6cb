/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.RecordKind;
import java.io.IOException;

/**
 * The record a lookup found, reusable for the next lookup.
 *
 * <p>Belongs to one thread. A value within one page is copied into it at once; of a larger one the
 * pages are read on demand, so its segment must stay retained, while the page source may be used
 * for other things in between.
 */
public final class FoundRecord {

    public RecordKind kind() {
        throw new UnsupportedOperationException();
    }

    /** Returns the key that was looked up: the caller's own bytes, not a copy. */
    public ByteSlice key() {
        throw new UnsupportedOperationException();
    }

    /** Returns the length of the whole value. */
    public long valueBytes() {
        throw new UnsupportedOperationException();
    }

    /**
     * Returns the whole value, valid until the next lookup into this record.
     *
     * @throws IOException when it cannot be read, or is too large for an array
     */
    public ByteSlice value() throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * Reads on in the value, from its beginning at the first call.
     *
     * @return the number of bytes read, at least 1 when {@code length} is, or -1 at the end
     */
    public int readValue(byte[] target, int offset, int length) throws IOException {
        throw new UnsupportedOperationException();
    }
}
