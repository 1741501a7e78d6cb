/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.io.StorageDirectory;
import java.io.Closeable;
import java.io.IOException;

/**
 * Writes one segment: runs one after another, each with its records in order (key group, order key
 * unsigned, key bytes unsigned).
 *
 * <p>Used by one thread at a time. Memory does not grow with values, only with the index and the
 * filters of the run being written. After an exception the writer can only be closed.
 */
public final class SegmentWriter implements Closeable {

    /** The TTL timestamp of a record that never expires. */
    public static final long NO_TTL = Long.MAX_VALUE;

    private SegmentWriter() {}

    /**
     * Creates the segment's file.
     *
     * @throws IOException when the file exists or cannot be written
     */
    public static SegmentWriter create(StorageDirectory dir, SegmentId id, SegmentOptions options)
            throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Begins the next run. */
    public void beginRun(RunSpec spec) throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * Adds one record to the run.
     *
     * @param orderKey the order key of {@code key}
     * @param key the composite key including its key-group prefix
     * @param value the value's bytes, ignored for {@link RecordKind#DELETE}
     * @param ttlTimestamp the TTL timestamp, or {@link #NO_TTL}; ignored for DELETE
     * @throws IllegalStateException when the record does not come after the one before it
     */
    public void add(
            int keyGroup,
            long orderKey,
            RecordKind kind,
            ByteSlice key,
            ByteSlice value,
            long ttlTimestamp)
            throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * Begins a record whose value follows in parts.
     *
     * @param valueBytes how many bytes {@link #writeValue} will bring until {@link #endRecord}
     */
    public void beginRecord(
            int keyGroup,
            long orderKey,
            RecordKind kind,
            ByteSlice key,
            long valueBytes,
            long ttlTimestamp)
            throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Writes the next part of the value. */
    public void writeValue(byte[] bytes, int offset, int length) throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * Ends the record.
     *
     * @throws IllegalStateException when its value is not complete
     */
    public void endRecord() throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Ends the run; a run without records leaves no trace. */
    public void endRun() throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Returns the bytes written so far. */
    public long bytesWritten() {
        throw new UnsupportedOperationException();
    }

    /**
     * Writes footer and trailer and closes the file, which is then complete.
     *
     * @return the length of the file
     */
    public long finish() throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Closes the file, and deletes it unless {@link #finish} succeeded. */
    @Override
    public void close() throws IOException {
        throw new UnsupportedOperationException();
    }
}
