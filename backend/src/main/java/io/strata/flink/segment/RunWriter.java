/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.KeyGroupEntry;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.RunDirectory;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.format.segment.SegmentHeader;
import io.strata.flink.io.StorageDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes one run: its data area as records come, then its index area and its filter area. */
final class RunWriter implements Closeable {

    /** Indexes and filters up to this size each stay in memory until the data is written. */
    static final int PARTS_BYTES = 1 << 20;

    private final SegmentOut out;
    private final RunSpec spec;
    private final long dataOffset;
    private final KeyGroupWriter keyGroupWriter;
    private final List<KeyGroupEntry> entries = new ArrayList<>();
    private final PartsFile indexParts;
    private final PartsFile filterParts;

    private int lastKeyGroup = -1;
    private long lastOrderKey;
    private final ByteSlice lastKey = new ByteSlice(new byte[64], 0, 0);

    /**
     * Begins a run.
     *
     * @param header of the segment
     */
    RunWriter(
            SegmentOut out,
            RunSpec spec,
            SegmentHeader header,
            int filterBitsPerRecord,
            StorageDirectory directory) {
        this.out = out;
        this.spec = spec;
        this.dataOffset = out.position();
        String fileName = header.id().fileName();
        this.indexParts = new PartsFile(directory, fileName + ".index", PARTS_BYTES);
        this.filterParts = new PartsFile(directory, fileName + ".filters", PARTS_BYTES);
        FilterBuilder filter = new FilterBuilder(spec.grouped(), filterBitsPerRecord);
        this.keyGroupWriter = new KeyGroupWriter(out, header, filter);
    }

    void beginRecord(
            int keyGroup,
            long orderKey,
            RecordKind kind,
            ByteSlice key,
            long recordBytes,
            long ttlTimestamp)
            throws IOException {
        requireAfterLast(keyGroup, orderKey, key);
        if (keyGroup != lastKeyGroup) {
            finishKeyGroup();
            keyGroupWriter.begin();
        }
        keyGroupWriter.beginRecord(orderKey, kind, recordBytes, ttlTimestamp);
        lastKeyGroup = keyGroup;
        lastOrderKey = orderKey;
        if (key.length > lastKey.bytes.length) {
            lastKey.bytes = new byte[key.length + (key.length >> 1)];
        }
        System.arraycopy(key.bytes, key.offset, lastKey.bytes, 0, key.length);
        lastKey.length = key.length;
    }

    void append(byte[] bytes, int offset, int length) throws IOException {
        keyGroupWriter.append(bytes, offset, length);
    }

    /** Returns the run's directory, or null when it has no records. */
    RunDirectory finish() throws IOException {
        finishKeyGroup();
        if (entries.isEmpty()) {
            return null;
        }
        indexParts.drainTo(out);
        filterParts.drainTo(out);
        close();
        return new RunDirectory(spec, dataOffset, entries);
    }

    /** Deletes temporary files. */
    @Override
    public void close() throws IOException {
        try {
            indexParts.close();
        } finally {
            filterParts.close();
        }
    }

    private void finishKeyGroup() throws IOException {
        if (lastKeyGroup >= 0) {
            KeyGroupWriter.Finished finished = keyGroupWriter.finish(lastKeyGroup);
            entries.add(finished.entry());
            indexParts.add(finished.index());
            filterParts.add(finished.filter());
        }
    }

    private void requireAfterLast(int keyGroup, long orderKey, ByteSlice key) {
        int order = Integer.compare(lastKeyGroup, keyGroup);
        if (order == 0) {
            order = Long.compareUnsigned(lastOrderKey, orderKey);
        }
        if (order == 0) {
            order = ByteSlice.compareUnsigned(lastKey, key);
        }
        if (order >= 0) {
            throw new IllegalStateException(
                    String.format(
                            "records of state %s out of order: (%d, %016x, %s) after (%d, %016x,"
                                    + " %s)",
                            spec.stateName(),
                            keyGroup,
                            orderKey,
                            key,
                            lastKeyGroup,
                            lastOrderKey,
                            new ByteSlice(Arrays.copyOf(lastKey.bytes, lastKey.length))));
        }
    }
}
