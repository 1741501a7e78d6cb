/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.files;

import io.strata.flink.format.bytes.Checksums;
import io.strata.flink.format.bytes.VarInts;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Collects little-endian values in memory: the counterpart of BoundedReader. */
final class FormatWriter {

    private static final int INITIAL_BYTES = 1024;

    private byte[] bytes = new byte[INITIAL_BYTES];
    private int length;

    void writeByte(int value) {
        reserve(1);
        bytes[length++] = (byte) value;
    }

    void writeInt(int value) {
        reserve(Integer.BYTES);
        buffer().putInt(length, value);
        length += Integer.BYTES;
    }

    void writeLong(long value) {
        reserve(Long.BYTES);
        buffer().putLong(length, value);
        length += Long.BYTES;
    }

    void writeVarInt(long value) {
        reserve(VarInts.MAX_BYTES);
        length = VarInts.write(bytes, length, value);
    }

    void writeBytes(byte[] source) {
        reserve(source.length);
        System.arraycopy(source, 0, bytes, length, source.length);
        length += source.length;
    }

    /** Appends the CRC32C of everything written and returns all bytes. */
    byte[] finishWithChecksum() {
        writeInt(Checksums.crc32c(bytes, 0, length));
        return Arrays.copyOf(bytes, length);
    }

    private ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
