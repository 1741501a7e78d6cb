/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongConsumer;

/**
 * Pages straight from the file, with its own read-ahead buffer: for scans, which stream past the
 * cache.
 *
 * <p>Belongs to one thread and serves one scan at a time; other orders work, slowly. Holds no
 * handle.
 */
public final class StreamingPageSource implements PageSource {

    /** The read-ahead of {@link #StreamingPageSource()}. */
    public static final int DEFAULT_READ_AHEAD_BYTES = 128 << 10;

    private final LongConsumer reads;
    private final PageInflater inflater = new PageInflater();
    private ByteBuffer buffer;
    private int serial = -1;
    private long start;
    private long end;
    private long verifiedOffset = -1;
    private ByteBuffer inflated;

    /** Creates a source that reads {@link #DEFAULT_READ_AHEAD_BYTES} at a time. */
    public StreamingPageSource() {
        this(DEFAULT_READ_AHEAD_BYTES);
    }

    /** Creates a source that reads about {@code readAheadBytes} at a time, at least one page. */
    public StreamingPageSource(int readAheadBytes) {
        this(readAheadBytes, bytes -> {});
    }

    private StreamingPageSource(int readAheadBytes, LongConsumer reads) {
        this.buffer = allocate(readAheadBytes);
        this.reads = reads;
    }

    /**
     * Returns a source for one scan of a run: it reads ahead no further than the run is long, so
     * that small runs of a large segment cost little.
     */
    public static StreamingPageSource of(RunView view) {
        return of(view, bytes -> {});
    }

    /**
     * The same.
     *
     * @param reads is told how many bytes are about to be read from the file
     */
    public static StreamingPageSource of(RunView view, LongConsumer reads) {
        long readAhead = Math.min(DEFAULT_READ_AHEAD_BYTES, Math.max(1, view.dataBytes()));
        return new StreamingPageSource((int) readAhead, reads);
    }

    @Override
    public void page(Segment segment, long offset, int storedBytes, int length, PageView out)
            throws IOException {
        stored(segment, offset, storedBytes, out);
        boolean isNew = offset != verifiedOffset;
        if (storedBytes != length) {
            if (isNew) {
                inflate(segment, offset, storedBytes, length);
            }
            out.set(inflated, 0, length);
        }
        if (isNew) {
            segment.verifyPage(offset, length, out.buffer, out.offset);
            verifiedOffset = offset;
        }
        out.length = length;
    }

    /** Shows a page as it is stored, without verifying it. */
    void stored(Segment segment, long offset, int storedBytes, PageView out) throws IOException {
        if (segment.serial() != serial || offset < start || offset + storedBytes > end) {
            fill(segment, offset, storedBytes);
        }
        out.set(buffer, (int) (offset - start), storedBytes);
    }

    private void inflate(Segment segment, long offset, int storedBytes, int length)
            throws IOException {
        verifiedOffset = -1;
        int index = (int) (offset - start);
        byte[] bytes =
                inflater.inflate(segment, offset, buffer.array(), index, storedBytes, length);
        inflated = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void fill(Segment segment, long offset, int length) throws IOException {
        serial = -1;
        verifiedOffset = -1;
        if (length > buffer.capacity()) {
            buffer = allocate(length);
        }
        int bytes = (int) Math.min(buffer.capacity(), segment.fileBytes() - offset);
        reads.accept(Math.max(bytes, length));
        segment.read(offset, buffer.clear().limit(Math.max(bytes, length)));
        buffer.clear();
        serial = segment.serial();
        start = offset;
        end = offset + bytes;
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
