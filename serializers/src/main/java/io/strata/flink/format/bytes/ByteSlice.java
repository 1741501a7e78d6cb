/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.bytes;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A reusable view of bytes inside an array: the way bytes pass between packages.
 *
 * <p>The fields are public and change: whoever hands a slice out says how long its content stays.
 * Not thread-safe. {@link #equals} is identity, compare contents with {@link #contentEquals} or
 * {@link #compareUnsigned}.
 */
public final class ByteSlice {

    private static final byte[] NOTHING = new byte[0];

    public byte[] bytes;
    public int offset;
    public int length;

    /** Creates an empty slice. */
    public ByteSlice() {
        this(NOTHING, 0, 0);
    }

    /** Creates a slice over all of {@code bytes}, without copying. */
    public ByteSlice(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    /** Creates a slice over a part of {@code bytes}, without copying. */
    public ByteSlice(byte[] bytes, int offset, int length) {
        set(bytes, offset, length);
    }

    /** Points this slice at all of {@code bytes}, without copying. */
    public ByteSlice set(byte[] bytes) {
        return set(bytes, 0, bytes.length);
    }

    /** Points this slice at a part of {@code bytes}, without copying. */
    public ByteSlice set(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
        return this;
    }

    /** Points this slice at the bytes of another one, without copying. */
    public ByteSlice set(ByteSlice other) {
        return set(other.bytes, other.offset, other.length);
    }

    /** Returns a fresh array holding the content. */
    public byte[] toArray() {
        return Arrays.copyOfRange(bytes, offset, offset + length);
    }

    /** Returns true when both slices hold the same bytes. */
    public boolean contentEquals(ByteSlice other) {
        return length == other.length
                && Arrays.equals(
                        bytes,
                        offset,
                        offset + length,
                        other.bytes,
                        other.offset,
                        other.offset + other.length);
    }

    /** Compares contents byte by byte, unsigned; a prefix comes before what it is a prefix of. */
    public static int compareUnsigned(ByteSlice a, ByteSlice b) {
        return Arrays.compareUnsigned(
                a.bytes, a.offset, a.offset + a.length, b.bytes, b.offset, b.offset + b.length);
    }

    /** Returns the content as hexadecimal digits, cut after 32 bytes, for messages. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("0x");
        int shown = Math.min(length, 32);
        for (int i = 0; i < shown; i++) {
            int b = bytes[offset + i] & 0xFF;
            text.append(Character.forDigit(b >>> 4, 16)).append(Character.forDigit(b & 15, 16));
        }
        return shown == length ? text.toString() : text + "… (" + length + " bytes)";
    }

    /** Returns a slice over the UTF-8 bytes of {@code text}. */
    public static ByteSlice utf8(String text) {
        return new ByteSlice(text.getBytes(StandardCharsets.UTF_8));
    }
}
