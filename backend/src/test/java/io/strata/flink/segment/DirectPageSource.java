/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A page source without any cache: one page, off the heap, at an odd place in its buffer. */
public final class DirectPageSource implements PageSource {

    private static final int INDEX = 3;

    private final PageInflater inflater = new PageInflater();
    private ByteBuffer buffer = allocate(64);
    private long pagesRead;

    @Override
    public void page(Segment segment, long offset, int storedBytes, int length, PageView out)
            throws IOException {
        if (buffer.capacity() < INDEX + length) {
            buffer = allocate(length);
        }
        inflater.read(segment, offset, storedBytes, length, buffer, INDEX);
        pagesRead++;
        out.set(buffer, INDEX, length);
    }

    /** Returns how many pages were asked for. */
    public long pagesRead() {
        return pagesRead;
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(INDEX + bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
