/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.ByteSlice;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The value of one record after another: bytes at hand, or to be read from several pages. */
final class RecordValue {

    private static final int MAX_ARRAY_BYTES = Integer.MAX_VALUE - 16;

    /** A larger buffer is given up when a value comes that does not need it. */
    private static final int MAX_KEPT_BYTES = 1 << 20;

    private final ByteSlice whole = new ByteSlice();
    private byte[] own = new byte[256];
    private RecordStream stream;
    private boolean streamed;
    private long length;
    private long done;

    long length() {
        return length;
    }

    /** Takes a copy of bytes in a buffer as the value. */
    void copy(ByteBuffer buffer, int index, int bytes) {
        reserve(bytes);
        buffer.get(index, own, 0, bytes);
        set(own, 0, bytes);
    }

    /** Takes bytes as the value, without copying. */
    void set(byte[] bytes, int offset, int count) {
        whole.set(bytes, offset, count);
        streamed = false;
        length = count;
        done = 0;
    }

    /** Takes as the value what a stream will read; the caller starts the stream and marks it. */
    RecordStream stream(long bytes) {
        if (stream == null) {
            stream = new RecordStream();
        }
        streamed = true;
        length = bytes;
        done = 0;
        return stream;
    }

    ByteSlice whole() throws IOException {
        if (streamed) {
            if (length > MAX_ARRAY_BYTES) {
                throw new IOException(
                        "a value of " + length + " bytes is too large to be read as a whole");
            }
            reserve((int) length);
            stream.rewind();
            stream.readFully(own, 0, (int) length);
            set(own, 0, (int) length);
        }
        return whole;
    }

    int read(byte[] target, int offset, int count) throws IOException {
        int part = (int) Math.min(count, length - done);
        if (part == 0) {
            return count == 0 ? 0 : -1;
        }
        if (streamed) {
            stream.readFully(target, offset, part);
        } else {
            System.arraycopy(whole.bytes, whole.offset + (int) done, target, offset, part);
        }
        done += part;
        return part;
    }

    private void reserve(int bytes) {
        boolean wasteful = own.length > MAX_KEPT_BYTES && bytes <= MAX_KEPT_BYTES;
        if (own.length < bytes || wasteful) {
            own = new byte[(int) Math.min(MAX_ARRAY_BYTES, bytes + (bytes >> 1) + 16L)];
        }
    }
}
