/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.segment.SegmentWriter;
import java.io.IOException;
import java.util.concurrent.CancellationException;

/**
 * Writes what a {@link MergeCursor} shows into the run that a {@link SegmentWriter} has begun,
 * without what has expired.
 *
 * <p>An expired PUT becomes a DELETE unless nothing older can hold its key: what it hid must not
 * come back when the TTL is lengthened later (I5). An APPEND hides nothing and just goes.
 *
 * <p>Values of any size pass through one buffer. Lists are freed of expired elements up to {@link
 * #TRIM_BYTES}; a longer one is written as it is, and as one that never expires. Belongs to one
 * thread.
 */
public final class RunMerge {

    /** Larger values are streamed. */
    static final int STREAM_BYTES = 1 << 16;

    /** Lists up to this size are held in memory to find their elements. */
    static final int TRIM_BYTES = 8 << 20;

    private static final int RECORDS_BETWEEN_CHECKS = 1024;
    private static final int REPORT_BYTES = 128 << 10;
    private static final ByteSlice NO_VALUE = new ByteSlice();

    private final boolean bottom;
    private final Expiry expiry;
    private final MergeWatch watch;
    private byte[] buffer;
    private int untilCheck;
    private long written;
    private long reportedBytes;

    /**
     * Creates a merge.
     *
     * @param bottom true when nothing older can hold the keys: then a DELETE is dropped and an
     *     APPEND becomes a PUT (I5)
     * @param expiry says what has expired; belongs to the thread that merges
     * @param watch told now and then of what was written
     */
    public RunMerge(boolean bottom, Expiry expiry, MergeWatch watch) {
        this.bottom = bottom;
        this.expiry = expiry;
        this.watch = watch;
    }

    /**
     * Drains the cursor.
     *
     * @return the number of records written
     * @throws CancellationException when cancelled
     */
    public long drain(MergeCursor source, SegmentWriter target) throws IOException {
        written = 0;
        reportedBytes = target.bytesWritten();
        look(target);
        while (source.next()) {
            if (--untilCheck <= 0 || target.bytesWritten() - reportedBytes > REPORT_BYTES) {
                look(target);
            }
            RecordKind kind = source.kind();
            if (bottom) {
                if (kind == RecordKind.DELETE) {
                    continue;
                }
                kind = RecordKind.PUT;
            }
            if (source.valueBytes() > streamBytes()) {
                stream(source, kind, target);
            } else if (kind == RecordKind.DELETE || !expiry.hasTimestamps()) {
                add(source, kind, source.value(), SegmentWriter.NO_TTL, target);
            } else if (expiry.judge(source.value())) {
                add(source, kind, expiry.live(), expiry.newest(), target);
            } else {
                expire(source, kind, target);
            }
        }
        look(target);
        return written;
    }

    private long streamBytes() {
        return expiry.isElementwise() ? TRIM_BYTES : STREAM_BYTES;
    }

    private void expire(MergeCursor source, RecordKind kind, SegmentWriter target)
            throws IOException {
        if (!bottom && kind == RecordKind.PUT) {
            add(source, RecordKind.DELETE, NO_VALUE, SegmentWriter.NO_TTL, target);
        }
    }

    private void add(
            MergeCursor source,
            RecordKind kind,
            ByteSlice value,
            long ttlTimestamp,
            SegmentWriter target)
            throws IOException {
        target.add(source.keyGroup(), source.orderKey(), kind, source.key(), value, ttlTimestamp);
        written++;
    }

    /** Writes a large value part by part; the first part tells whether it has expired. */
    private void stream(MergeCursor source, RecordKind kind, SegmentWriter target)
            throws IOException {
        if (buffer == null) {
            buffer = new byte[STREAM_BYTES];
        }
        int read = readHead(source);
        long ttlTimestamp = SegmentWriter.NO_TTL;
        if (expiry.hasTimestamps() && !expiry.isElementwise()) {
            if (!expiry.judge(new ByteSlice(buffer, 0, read))) {
                expire(source, kind, target);
                return;
            }
            ttlTimestamp = expiry.newest();
        }
        target.beginRecord(
                source.keyGroup(),
                source.orderKey(),
                kind,
                source.key(),
                source.valueBytes(),
                ttlTimestamp);
        while (read >= 0) {
            target.writeValue(buffer, 0, read);
            look(target);
            read = source.readValue(buffer, 0, buffer.length);
        }
        target.endRecord();
        written++;
    }

    /** Reads at least what tells the timestamp; the value is longer than that. */
    private int readHead(MergeCursor source) throws IOException {
        int done = 0;
        while (done < Expiry.HEAD_BYTES) {
            done += Math.max(0, source.readValue(buffer, done, buffer.length - done));
        }
        return done;
    }

    private void look(SegmentWriter target) {
        long bytes = target.bytesWritten();
        watch.passed(bytes - reportedBytes);
        reportedBytes = bytes;
        untilCheck = RECORDS_BETWEEN_CHECKS;
        expiry.refresh();
        if (watch.cancelled()) {
            throw new CancellationException("the merge was cancelled");
        }
    }
}
