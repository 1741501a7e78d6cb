/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.bytes.Checksums;
import io.strata.flink.format.bytes.VarInts;
import io.strata.flink.format.segment.KeyGroupEntry;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.PageDescriptor;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.RunDirectory;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.format.segment.SegmentFooter;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.format.segment.SegmentTrailer;
import io.strata.flink.io.StorageDirectory;
import io.strata.flink.io.StorageOutput;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes one segment: runs one after another, each with its records in order (key group, order key
 * unsigned, key bytes unsigned).
 *
 * <p>Used by one thread at a time. Memory does not grow with values nor with runs, only with the
 * number of records of one key group. After an exception the writer can only be closed.
 */
public final class SegmentWriter implements Closeable {

    /** The TTL timestamp of a record that never expires. */
    public static final long NO_TTL = KeyGroupEntry.NO_TTL;

    /** Longer values would not leave room for the kind in their var-int. */
    private static final long MAX_VALUE_BYTES = Long.MAX_VALUE >>> PageDescriptor.KIND_BITS;

    private static final ByteSlice NO_VALUE = new ByteSlice();

    private final StorageDirectory directory;
    private final SegmentId id;
    private final SegmentOptions options;
    private final StorageOutput output;
    private final SegmentOut out;
    private final List<RunDirectory> runs = new ArrayList<>();
    private final byte[] head = new byte[2 * VarInts.MAX_BYTES];

    private RunWriter run;
    private long valueBytesLeft = -1;
    private boolean finished;
    private boolean closed;

    private SegmentWriter(
            StorageDirectory directory,
            SegmentId id,
            SegmentOptions options,
            StorageOutput output) {
        this.directory = directory;
        this.id = id;
        this.options = options;
        this.output = output;
        this.out = new SegmentOut(output);
    }

    /**
     * Creates the segment's file.
     *
     * @throws IOException when the file exists or cannot be written
     */
    public static SegmentWriter create(StorageDirectory dir, SegmentId id, SegmentOptions options)
            throws IOException {
        StorageOutput output = dir.create(id.fileName());
        SegmentWriter writer = new SegmentWriter(dir, id, options, output);
        writer.out.write(options.header(id).encode());
        return writer;
    }

    /** Begins the next run. */
    public void beginRun(RunSpec spec) throws IOException {
        require(run == null, "the run before this one has not ended");
        run =
                new RunWriter(
                        out, spec, options.header(id), options.filterBitsPerRecord(), directory);
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
        ByteSlice written = kind == RecordKind.DELETE ? NO_VALUE : value;
        beginRecord(keyGroup, orderKey, kind, key, written.length, ttlTimestamp);
        run.append(written.bytes, written.offset, written.length);
        valueBytesLeft = -1;
    }

    /**
     * Begins a record whose value follows in parts.
     *
     * @param valueBytes how many bytes {@link #writeValue} will bring until {@link #endRecord}
     * @throws IllegalStateException when the record does not come after the one before it
     */
    public void beginRecord(
            int keyGroup,
            long orderKey,
            RecordKind kind,
            ByteSlice key,
            long valueBytes,
            long ttlTimestamp)
            throws IOException {
        require(run != null, "no run has begun");
        require(valueBytesLeft < 0, "the record before this one has not ended");
        if (keyGroup < 0 || keyGroup > KeyGroupSpan.MAX_KEY_GROUP) {
            throw new IllegalArgumentException("key group " + keyGroup);
        }
        if (valueBytes < 0
                || valueBytes > MAX_VALUE_BYTES
                || (kind == RecordKind.DELETE && valueBytes != 0)) {
            throw new IllegalArgumentException(valueBytes + " value bytes of a " + kind);
        }
        int headBytes = VarInts.write(head, 0, key.length);
        long sizeAndKind = (valueBytes << PageDescriptor.KIND_BITS) | kind.code();
        headBytes = VarInts.write(head, headBytes, sizeAndKind);
        long recordBytes = headBytes + key.length + valueBytes;
        run.beginRecord(keyGroup, orderKey, kind, key, recordBytes, ttlTimestamp);
        run.append(head, 0, headBytes);
        run.append(key.bytes, key.offset, key.length);
        valueBytesLeft = valueBytes;
    }

    /** Writes the next part of the value. */
    public void writeValue(byte[] bytes, int offset, int length) throws IOException {
        require(valueBytesLeft >= length, "more bytes than the record's value has");
        run.append(bytes, offset, length);
        valueBytesLeft -= length;
    }

    /**
     * Ends the record.
     *
     * @throws IllegalStateException when its value is not complete
     */
    public void endRecord() throws IOException {
        require(valueBytesLeft == 0, "the record's value is not complete");
        valueBytesLeft = -1;
    }

    /** Ends the run; a run without records leaves no trace. */
    public void endRun() throws IOException {
        require(run != null, "no run has begun");
        require(valueBytesLeft < 0, "the last record has not ended");
        RunDirectory written = run.finish();
        if (written != null) {
            runs.add(written);
        }
        run = null;
    }

    /** Returns the bytes written so far. */
    public long bytesWritten() {
        return out.position();
    }

    /**
     * Writes footer and trailer and closes the file, which is then complete.
     *
     * @return the length of the file
     */
    public long finish() throws IOException {
        require(run == null, "the last run has not ended");
        require(!closed, "the writer is closed");
        long footerOffset = out.position();
        byte[] footer = new SegmentFooter(runs).encode();
        out.write(footer);
        int checksum = Checksums.crc32c(footer, 0, footer.length);
        out.write(new SegmentTrailer(id, footerOffset, footer.length, checksum).encode());
        out.flush();
        output.close();
        finished = true;
        closed = true;
        return out.position();
    }

    /** Closes the file, and deletes it unless {@link #finish} succeeded. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            output.close();
        } finally {
            if (!finished) {
                deleteUnfinished();
            }
        }
    }

    private void deleteUnfinished() throws IOException {
        try {
            if (run != null) {
                run.close();
            }
        } finally {
            directory.delete(id.fileName());
        }
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(otherwise);
        }
    }
}
