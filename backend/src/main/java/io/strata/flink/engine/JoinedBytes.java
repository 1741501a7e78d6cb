/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.bytes.ByteSlice;
import java.util.Arrays;

/** A growing buffer of encoded elements with a delimiter byte between them. */
final class JoinedBytes {

    private static final int MAX_BYTES = Integer.MAX_VALUE - 8;

    private static final int INITIAL_BYTES = 256;
    private static final int KEPT_BYTES = 1 << 20;

    private final byte delimiter;
    private byte[] bytes = new byte[INITIAL_BYTES];
    private int length;

    JoinedBytes(byte delimiter) {
        this.delimiter = delimiter;
    }

    /** Forgets the elements, and does not keep the memory of a very long list. */
    void clear() {
        length = 0;
        if (bytes.length > KEPT_BYTES) {
            bytes = new byte[INITIAL_BYTES];
        }
    }

    void add(ByteSlice element) {
        ensureRoom(element.length + 1L);
        if (length > 0) {
            bytes[length++] = delimiter;
        }
        System.arraycopy(element.bytes, element.offset, bytes, length, element.length);
        length += element.length;
    }

    private void ensureRoom(long more) {
        long needed = length + more;
        if (needed > MAX_BYTES) {
            throw new IllegalStateException(
                    "The elements added to one list since the last flush take %d bytes, more than"
                                    .formatted(needed)
                            + " one record can hold.");
        }
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_BYTES, Math.max(needed, length * 2L)));
        }
    }

    void pointTo(ByteSlice out) {
        out.set(bytes, 0, length);
    }
}
