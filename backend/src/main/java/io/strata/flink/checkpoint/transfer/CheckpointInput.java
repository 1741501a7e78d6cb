/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.transfer;

import java.io.IOException;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.state.StreamStateHandle;

/** A file of a checkpoint open for a restore: closed when the task is cancelled, and counted. */
public final class CheckpointInput extends FSDataInputStream {

    private final FSDataInputStream in;
    private final CloseableRegistry cancellation;
    private final RestoreCounters counters;

    private CheckpointInput(
            FSDataInputStream in, CloseableRegistry cancellation, RestoreCounters counters) {
        this.in = in;
        this.cancellation = cancellation;
        this.counters = counters;
    }

    /** Opens the file of a handle. */
    public static CheckpointInput open(
            StreamStateHandle file, CloseableRegistry cancellation, RestoreCounters counters)
            throws IOException {
        FSDataInputStream in = file.openInputStream();
        cancellation.registerCloseable(in);
        return new CheckpointInput(in, cancellation, counters);
    }

    @Override
    public void seek(long desired) throws IOException {
        in.seek(desired);
    }

    @Override
    public long getPos() throws IOException {
        return in.getPos();
    }

    @Override
    public int read() throws IOException {
        int value = in.read();
        counters.read(value < 0 ? 0 : 1);
        return value;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            // The stream of a merged file (FsSegmentDataInputStream) would answer with the end, and
            // readAllBytes asks this whenever its buffer is full.
            return 0;
        }
        int read = in.read(bytes, offset, length);
        counters.read(Math.max(read, 0));
        return read;
    }

    @Override
    public void close() throws IOException {
        cancellation.unregisterCloseable(in);
        in.close();
    }
}
