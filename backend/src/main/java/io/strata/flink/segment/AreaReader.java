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

    /** Returns how errors name the file. */
    String fileName() {
        return input.name();
    }

    /** Reads bytes into a buffer, whatever its position and limit. */
    void read(ByteBuffer target, int index, int bytes) throws IOException {
        for (int done = 0; done < bytes; ) {
            int part = available(bytes - done);
            target.put(index + done, buffer, buffer.position(), part);
            checksum.update(buffer.array(), buffer.position(), part);
            buffer.position(buffer.position() + part);
            done += part;
        }
    }

    /** Returns how many of the wanted bytes the buffer holds, at least one. */
    private int available(int wanted) throws IOException {
        if (!buffer.hasRemaining()) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), end - next));
            int length = buffer.remaining();
            input.readFully(next, buffer);
            next += length;
            buffer.flip();
        }
        return Math.min(wanted, buffer.remaining());
    }

    /** Verifies the checksum of all that was read since the last time. */
    void verify(String what, int expected) throws IOException {
        int found = (int) checksum.getValue();
        checksum.reset();
        BoundedReader.requireChecksum(input.name(), what, expected, found);
    }
}
