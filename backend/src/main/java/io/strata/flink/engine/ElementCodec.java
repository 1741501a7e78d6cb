/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.bytes.ByteSlice;
import java.io.IOException;

/**
 * A {@link ValueCodec} of list elements, which lie one after another with a delimiter byte between.
 *
 * @param <T> the type of the elements
 */
public interface ElementCodec<T> extends ValueCodec<T> {

    /**
     * Reads the element at the beginning of the bytes and moves the slice past it and past the
     * delimiter that follows, if any.
     *
     * @throws java.io.EOFException when the bytes end within the element; the slice is unchanged
     */
    T decodeNext(ByteSlice in) throws IOException;

    @Override
    ElementCodec<T> duplicate();
}
