/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.BoundedReader;
import io.strata.flink.io.StorageInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Reads a contiguous area of a file from its beginning to its end, in large pieces. */
final class AreaReader {

    private static final int BUFFER_BYTES = 128 << 10;

    private final StorageInput input;
    private final long end;
    private final ByteBuffer buffer;
    private final CRC32C checksum = new CRC32C();
    private long next;

    AreaReader(StorageInput input, long offset, long length) {
        this.input = input;
        this.next = offset;
        this.end = offset + length;
        this.buffer =
                ByteBuffer.allocate((int) Math.min(BUFFER_BYTES, Math.max(length, Long.BYTES)))
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .limit(0);
    }

    /** Reads longs and verifies the checksum of exactly these. */
    void readLongs(long[] target, int index, int count, String what, int expected)
            throws IOException {
        checksum.reset();
        for (int done = 0; done < count; ) {
            int part = available(count - done, Long.BYTES);
            buffer.asLongBuffer().get(target, index + done, part);
            consume(part * Long.BYTES);
            done += part;
        }
        verify(what, expected);
    }

    /** Reads ints and verifies the checksum of exactly these. */
    void readInts(int[] target, int index, int count, String what, int expected)
            throws IOException {
        checksum.reset();
        for (int done = 0; done < count; ) {
            int part = available(count - done, Integer.BYTES);
            buffer.asIntBuffer().get(target, index + done, part);
            consume(part * Integer.BYTES);
            done += part;
        }
        verify(what, expected);
    }

    /** Returns how many of the wanted values the buffer holds, at least one. */
    private int available(int wanted, int valueBytes) throws IOException {
        if (buffer.remaining() < valueBytes) {
            buffer.compact();
            buffer.limit((int) Math.min(buffer.capacity(), buffer.position() + end - next));
            int length = buffer.remaining();
            input.readFully(next, buffer);
            next += length;
            buffer.flip();
        }
        return Math.min(wanted, buffer.remaining() / valueBytes);
    }

    private void consume(int bytes) {
        checksum.update(buffer.array(), buffer.position(), bytes);
        buffer.position(buffer.position() + bytes);
    }

    private void verify(String what, int expected) throws IOException {
        int found = (int) checksum.getValue();
        BoundedReader.requireChecksum(input.name(), what, expected, found);
    }
}
