/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.io.StorageOutput;
import java.io.IOException;
import java.util.zip.CRC32C;

/** The end of a segment being written: buffers, counts, and sums up parts of it. */
final class SegmentOut {

    private static final int BUFFER_BYTES = 128 << 10;

    private final StorageOutput output;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final CRC32C checksum = new CRC32C();
    private int buffered;
    private long position;

    SegmentOut(StorageOutput output) {
        this.output = output;
    }

    void write(byte[] bytes, int offset, int length) throws IOException {
        checksum.update(bytes, offset, length);
        position += length;
        if (length > BUFFER_BYTES - buffered) {
            flush();
        }
        if (length > BUFFER_BYTES) {
            output.write(bytes, offset, length);
        } else {
            System.arraycopy(bytes, offset, buffer, buffered, length);
            buffered += length;
        }
    }

    void write(byte[] bytes) throws IOException {
        write(bytes, 0, bytes.length);
    }

    void flush() throws IOException {
        output.write(buffer, 0, buffered);
        buffered = 0;
    }

    /** Returns the number of bytes written so far. */
    long position() {
        return position;
    }

    /** Returns the CRC32C of what was written since the last call. */
    int takeChecksum() {
        int value = (int) checksum.getValue();
        checksum.reset();
        return value;
    }
}
