/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;

/** Compresses pages one after another; the counterpart of {@link PageInflater}. Not thread-safe. */
final class PageDeflater {

    private static final LZ4Compressor LZ4 = LZ4Factory.fastestJavaInstance().fastCompressor();

    private final byte[] deflated;

    PageDeflater(int pageBytes) {
        deflated = new byte[LZ4.maxCompressedLength(pageBytes)];
    }

    /**
     * Compresses a page into {@link #bytes}.
     *
     * @return the compressed length, or {@code length} when the page does not become shorter
     */
    int deflate(byte[] page, int length) {
        return Math.min(length, LZ4.compress(page, 0, length, deflated, 0));
    }

    /** Returns the array that holds a page which became shorter. */
    byte[] bytes() {
        return deflated;
    }
}
