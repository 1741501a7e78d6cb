/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file being written, by one thread at a time.
 *
 * <p>Interrupts do not disturb it. Closing twice is allowed.
 */
public interface StorageOutput extends Closeable {

    /** Returns the name of the file. */
    String name();

    /** Writes {@code length} bytes at {@link #position} and moves it on. */
    void write(byte[] bytes, int offset, int length) throws IOException;

    /** Writes the remaining bytes of a buffer at {@link #position} and moves it on. */
    void write(ByteBuffer source) throws IOException;

    /**
     * Writes bytes at any position and leaves {@link #position} alone: what is never written of a
     * file stays a hole.
     */
    void writeAt(long position, byte[] bytes, int offset, int length) throws IOException;

    /** Returns where the next {@link #write} goes: the number of bytes written by it so far. */
    long position();
}
