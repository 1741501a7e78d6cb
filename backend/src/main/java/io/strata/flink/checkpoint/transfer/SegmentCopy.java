/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.transfer;

import io.strata.flink.io.StorageOutput;
import io.strata.flink.segment.DataChecksums;
import io.strata.flink.segment.SegmentLayout;
import io.strata.flink.segment.SegmentLayout.ByteRange;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Copies ranges of one remote segment to their places in a local file and verifies them on the way
 * (I4). Several threads may copy at the same time, each with a reader of its own.
 */
final class SegmentCopy {

    private final SegmentLayout layout;
    private final StorageOutput out;
    private final int bufferBytes;

    SegmentCopy(SegmentLayout layout, StorageOutput out, int bufferBytes) {
        this.layout = layout;
        this.out = out;
        this.bufferBytes = bufferBytes;
    }

    /**
     * Copies ranges that hold the data of each key group whole or not at all.
     *
     * @param stopped becomes true when the result is no longer wanted
     */
    void run(RemoteReader source, List<ByteRange> ranges, BooleanSupplier stopped)
            throws IOException {
        byte[] buffer = new byte[bufferBytes];
        for (ByteRange range : ranges) {
            DataChecksums checksums = new DataChecksums(out.name(), layout, range);
            long position = range.offset();
            while (position < range.end()) {
                if (stopped.getAsBoolean()) {
                    throw new CancellationException("another transfer failed");
                }
                int length = (int) Math.min(buffer.length, range.end() - position);
                source.readFully(position, buffer, 0, length);
                checksums.update(position, buffer, 0, length);
                write(position, buffer, length);
                position += length;
            }
            checksums.requireComplete();
        }
    }

    /** One at a time: a file of a storage directory has one writer. */
    private void write(long position, byte[] bytes, int length) throws IOException {
        synchronized (out) {
            out.writeAt(position, bytes, 0, length);
        }
    }
}
