/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.transfer;

import io.strata.flink.segment.DataChecksums;
import io.strata.flink.segment.SegmentLayout;
import io.strata.flink.segment.SegmentLayout.ByteRange;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Reads ranges of one remote segment, verifies them (I4) and hands them on. Several threads may do
 * so at the same time, each with a reader of its own.
 */
final class SegmentCopy {

    private final SegmentLayout layout;
    private final String fileName;
    private final Target target;
    private final int bufferBytes;

    /** Where the bytes go. */
    @FunctionalInterface
    interface Target {

        /** What was linked needs no copy. */
        Target NONE = (position, bytes, length) -> {};

        void write(long position, byte[] bytes, int length) throws IOException;
    }

    /**
     * Creates it.
     *
     * @param fileName how errors name the file
     */
    SegmentCopy(SegmentLayout layout, String fileName, Target target, int bufferBytes) {
        this.layout = layout;
        this.fileName = fileName;
        this.target = target;
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
            DataChecksums checksums = new DataChecksums(fileName, layout, range);
            long position = range.offset();
            while (position < range.end()) {
                if (stopped.getAsBoolean()) {
                    throw new CancellationException("another transfer failed");
                }
                int length = (int) Math.min(buffer.length, range.end() - position);
                source.readFully(position, buffer, 0, length);
                checksums.update(position, buffer, 0, length);
                target.write(position, buffer, length);
                position += length;
            }
            checksums.requireComplete();
        }
    }
}
