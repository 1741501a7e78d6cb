/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import io.strata.flink.format.bytes.ByteSlice;
import java.io.IOException;

/**
 * The values of several records of one key as one value: oldest first, one delimiter byte between.
 *
 * <p>Reusable. The cursors must stay where they are while it is used.
 */
final class JoinedValue {

    private static final int MAX_ARRAY_BYTES = Integer.MAX_VALUE - 8;

    private final MergePart[] oldestFirst;
    private final byte delimiter;
    private final ByteSlice whole = new ByteSlice();
    private int count;

    /** The length of all of it, or -1 until it is asked for. */
    private long valueBytes;

    private boolean assembled;

    /** The part to read on in. */
    private int current;

    JoinedValue(int maxParts, byte delimiter) {
        this.oldestFirst = new MergePart[maxParts];
        this.delimiter = delimiter;
    }

    /** Forgets the last value. */
    void begin() {
        count = 0;
        valueBytes = -1;
        assembled = false;
        current = 0;
    }

    /** Adds the next newer part. */
    void add(MergePart part) {
        oldestFirst[count++] = part;
    }

    long valueBytes() throws IOException {
        if (valueBytes < 0) {
            long sum = count - 1L; // delimiters
            for (int i = 0; i < count; i++) {
                sum += oldestFirst[i].valueBytes();
            }
            valueBytes = sum;
        }
        return valueBytes;
    }

    /** Returns all of it, valid until the next {@link #begin}. */
    ByteSlice value() throws IOException {
        if (!assembled) {
            assemble();
            assembled = true;
        }
        return whole;
    }

    /** Reads on; returns -1 at the end. */
    int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        int read = oldestFirst[current].readValue(target, offset, length);
        if (read >= 0) {
            return read;
        }
        if (current == count - 1) {
            return -1;
        }
        current++;
        target[offset] = delimiter;
        return 1;
    }

    private void assemble() throws IOException {
        if (valueBytes() > MAX_ARRAY_BYTES) {
            throw new IOException(
                    "a value of %d bytes, joined from %d runs, is too large for an array"
                            .formatted(valueBytes, count));
        }
        if (whole.bytes.length < valueBytes) {
            whole.bytes = new byte[(int) Math.min(MAX_ARRAY_BYTES, valueBytes + valueBytes / 2)];
        }
        whole.offset = 0;
        whole.length = 0;
        for (int i = 0; i < count; i++) {
            if (i > 0) {
                whole.bytes[whole.length++] = delimiter;
            }
            ByteSlice part = oldestFirst[i].value();
            System.arraycopy(part.bytes, part.offset, whole.bytes, whole.length, part.length);
            whole.length += part.length;
        }
    }
}
