/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.segment.SegmentWriter;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Writes what a {@link MergeCursor} shows into the run that a {@link SegmentWriter} has begun.
 *
 * <p>Values of any size pass through one buffer. The output claims no TTL bounds, since records do
 * not carry their timestamps. Belongs to one thread.
 */
public final class RunMerge {

    /** Larger values are streamed. */
    static final int STREAM_BYTES = 1 << 16;

    private static final int RECORDS_BETWEEN_CHECKS = 1024;

    private final boolean bottom;
    private final BooleanSupplier cancelled;
    private byte[] buffer;
    private int untilCheck;

    /**
     * Creates a merge.
     *
     * @param bottom true when nothing older can hold the keys: then a DELETE is dropped and an
     *     APPEND becomes a PUT (I5)
     * @param cancelled asked now and then, by the thread that merges
     */
    public RunMerge(boolean bottom, BooleanSupplier cancelled) {
        this.bottom = bottom;
        this.cancelled = cancelled;
    }

    /**
     * Drains the cursor.
     *
     * @return the number of records written
     * @throws CancellationException when cancelled
     */
    public long drain(MergeCursor source, SegmentWriter target) throws IOException {
        long written = 0;
        checkCancelled();
        while (source.next()) {
            if (--untilCheck <= 0) {
                checkCancelled();
            }
            RecordKind kind = source.kind();
            if (bottom) {
                if (kind == RecordKind.DELETE) {
                    continue;
                }
                kind = RecordKind.PUT;
            }
            write(source, kind, target);
            written++;
        }
        return written;
    }

    private void write(MergeCursor source, RecordKind kind, SegmentWriter target)
            throws IOException {
        if (source.valueBytes() > STREAM_BYTES) {
            stream(source, kind, target);
        } else {
            target.add(
                    source.keyGroup(),
                    source.orderKey(),
                    kind,
                    source.key(),
                    source.value(),
                    SegmentWriter.NO_TTL);
        }
    }

    private void stream(MergeCursor source, RecordKind kind, SegmentWriter target)
            throws IOException {
        if (buffer == null) {
            buffer = new byte[STREAM_BYTES];
        }
        target.beginRecord(
                source.keyGroup(),
                source.orderKey(),
                kind,
                source.key(),
                source.valueBytes(),
                SegmentWriter.NO_TTL);
        for (int read = source.readValue(buffer, 0, buffer.length);
                read >= 0;
                read = source.readValue(buffer, 0, buffer.length)) {
            target.writeValue(buffer, 0, read);
            checkCancelled();
        }
        target.endRecord();
    }

    private void checkCancelled() {
        untilCheck = RECORDS_BETWEEN_CHECKS;
        if (cancelled.getAsBoolean()) {
            throw new CancellationException("the merge was cancelled");
        }
    }
}
