/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import java.io.IOException;

/**
 * Where pages come from: a cache, or the file itself.
 *
 * <p>Belongs to one thread. Implementations read with a {@link PageInflater}, which verifies the
 * page's checksum.
 */
@FunctionalInterface
public interface PageSource {

    /**
     * Shows one page.
     *
     * @param segment an open segment
     * @param offset where the page begins in the segment's file
     * @param storedBytes bytes that it takes there
     * @param length bytes of the page
     * @param out is pointed at the page; valid until the next call on this source
     * @throws IOException when the page cannot be read or is corrupt
     */
    void page(Segment segment, long offset, int storedBytes, int length, PageView out)
            throws IOException;
}
