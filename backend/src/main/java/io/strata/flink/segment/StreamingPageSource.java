/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import java.io.IOException;

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

    /** Creates a source that reads {@link #DEFAULT_READ_AHEAD_BYTES} at a time. */
    public StreamingPageSource() {
        this(DEFAULT_READ_AHEAD_BYTES);
    }

    /** Creates a source that reads about {@code readAheadBytes} at a time, at least one page. */
    public StreamingPageSource(int readAheadBytes) {}

    @Override
    public void page(Segment segment, long offset, int length, PageView out) throws IOException {
        throw new UnsupportedOperationException();
    }
}
