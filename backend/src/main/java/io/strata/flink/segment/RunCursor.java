/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.RecordKind;
import java.io.IOException;

/**
 * Goes through records of one run in order.
 *
 * <p>Belongs to one thread. Starts before the first record; what it shows is valid until the next
 * {@link #next}. It keeps a copy of the page it stands on, so the page source may be used for other
 * things in between. Holds no handle, but the segment must stay retained while it is used.
 */
public final class RunCursor {

    RunCursor() {}

    /**
     * Moves to the next record.
     *
     * @return false when there is none
     */
    public boolean next() throws IOException {
        throw new UnsupportedOperationException();
    }

    public int keyGroup() {
        throw new UnsupportedOperationException();
    }

    public long orderKey() {
        throw new UnsupportedOperationException();
    }

    public RecordKind kind() {
        throw new UnsupportedOperationException();
    }

    /** Returns the composite key including its key-group prefix. */
    public ByteSlice key() {
        throw new UnsupportedOperationException();
    }

    /** Returns the length of the whole value. */
    public long valueBytes() {
        throw new UnsupportedOperationException();
    }

    /**
     * Returns the whole value.
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
