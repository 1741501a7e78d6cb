/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import java.nio.ByteBuffer;

/**
 * Where the bytes of one page are, filled in by a {@link PageSource}.
 *
 * <p>The buffer is little-endian, heap or direct, and read by absolute index only; its position and
 * limit mean nothing here.
 */
public final class PageView {

    public ByteBuffer buffer;
    public int offset;
    public int length;

    /** Points this view at a page. */
    public void set(ByteBuffer buffer, int offset, int length) {
        this.buffer = buffer;
        this.offset = offset;
        this.length = length;
    }
}
