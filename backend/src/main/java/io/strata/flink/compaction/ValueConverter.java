/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import io.strata.flink.format.bytes.ByteSlice;
import java.io.IOException;

/**
 * Makes the bytes of a value in the present schema of bytes that an older one wrote.
 *
 * <p>The same bytes give the same bytes whenever they are converted. Not thread-safe: belongs to
 * whoever got it (I9).
 */
public interface ValueConverter {

    /**
     * Converts a whole value.
     *
     * @param in left as it is
     * @param out pointed at the result, which is valid until the next call
     * @throws IOException if the bytes are not of the older schema
     */
    void convert(ByteSlice in, ByteSlice out) throws IOException;
}
