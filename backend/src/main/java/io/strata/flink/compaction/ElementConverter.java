/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import io.strata.flink.format.bytes.ByteSlice;
import java.io.IOException;

/** A {@link ValueConverter} of lists, which can be converted element by element. */
public interface ElementConverter extends ValueConverter {

    /**
     * Converts the element at the beginning of the bytes and moves the slice past it and past the
     * delimiter that follows, if any.
     *
     * @param out pointed at the converted element, without a delimiter, valid until the next call
     * @throws java.io.EOFException when the bytes end within the element; the slice is unchanged
     */
    void convertNext(ByteSlice in, ByteSlice out) throws IOException;
}
