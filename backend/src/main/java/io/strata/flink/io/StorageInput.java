/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file open for positional reading, by any threads at once.
 *
 * <p>Survives interrupts: an interrupted thread's read completes and its interrupt flag stays set.
 * Closing twice is allowed; reading a closed input fails.
 */
public interface StorageInput extends Closeable {

    /** Returns the name of the file. */
    String name();

    /** Returns the length of the file when it was opened. */
    long sizeBytes();

    /**
     * Fills the remaining bytes of a buffer from {@code position} of the file on.
     *
     * @throws java.io.EOFException when the file ends before the buffer is full
     */
    void readFully(long position, ByteBuffer target) throws IOException;
}
