/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import java.io.IOException;
import java.io.InputStream;
import org.apache.flink.core.fs.FSDataInputStream;

/**
 * A buffer over a savepoint file in which seeking a little forward costs nothing.
 *
 * <p>Flink's local file streams do not buffer, and key groups, of which there may be thousands in
 * one file, lie one behind the other.
 */
final class SavepointStream extends InputStream {

    private static final int BUFFER_BYTES = 64 << 10;

    private final FSDataInputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int end;

    /** Where the file goes on behind the buffer. */
    private long endOffset;

    SavepointStream(FSDataInputStream in) throws IOException {
        this.in = in;
        this.endOffset = in.getPos();
    }

    /** Goes on reading at an offset of the file. */
    void seek(long offset) throws IOException {
        long start = endOffset - end;
        if (offset >= start && offset <= endOffset) {
            position = (int) (offset - start);
        } else {
            in.seek(offset);
            endOffset = offset;
            position = 0;
            end = 0;
        }
    }

    @Override
    public int read() throws IOException {
        if (position == end && !fill()) {
            return -1;
        }
        return buffer[position++] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (position == end) {
            if (length >= BUFFER_BYTES) {
                return readPastBuffer(target, offset, length);
            }
            if (!fill()) {
                return -1;
            }
        }
        int count = Math.min(length, end - position);
        System.arraycopy(buffer, position, target, offset, count);
        position += count;
        return count;
    }

    @Override
    public int available() {
        return end - position;
    }

    private int readPastBuffer(byte[] target, int offset, int length) throws IOException {
        int count = in.read(target, offset, length);
        if (count > 0) {
            endOffset += count;
            position = 0;
            end = 0;
        }
        return count;
    }

    private boolean fill() throws IOException {
        int count = in.read(buffer, 0, BUFFER_BYTES);
        position = 0;
        end = Math.max(count, 0);
        endOffset += end;
        return count > 0;
    }
}
