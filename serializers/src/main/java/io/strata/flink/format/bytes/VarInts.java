/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.bytes;

import java.nio.ByteBuffer;

/**
 * Variable-length integers: seven bits a byte, lowest first, the top bit set on all bytes but the
 * last (LEB128, as in Protocol Buffers). Values are unsigned, and always written in the fewest
 * bytes.
 */
public final class VarInts {

    /** The most bytes that a value takes. */
    public static final int MAX_BYTES = 10;

    private VarInts() {}

    /** Returns the number of bytes that a value takes. */
    public static int sizeOf(long value) {
        return (value & ~0x7FL) == 0 ? 1 : (70 - Long.numberOfLeadingZeros(value)) / 7;
    }

    /** Writes a value at {@code index} and returns the index after it. */
    public static int write(byte[] target, int index, long value) {
        long rest = value;
        int at = index;
        while ((rest & ~0x7FL) != 0) {
            target[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        target[at++] = (byte) rest;
        return at;
    }

    /**
     * Reads the value at {@code index} of verified bytes; it took {@link #sizeOf} of them.
     *
     * @throws IndexOutOfBoundsException when the buffer ends within the value
     */
    public static long read(ByteBuffer source, int index) {
        byte first = source.get(index);
        return first >= 0 ? first : readLonger(source, index, first);
    }

    private static long readLonger(ByteBuffer source, int index, byte first) {
        long value = first & 0x7F;
        for (int i = 1; i < MAX_BYTES; i++) {
            byte next = source.get(index + i);
            value |= (next & 0x7FL) << (7 * i);
            if (next >= 0) {
                return value;
            }
        }
        throw new IndexOutOfBoundsException("a var-int of more than " + MAX_BYTES + " bytes");
    }
}
