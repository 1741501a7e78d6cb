/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint;

import io.strata.flink.io.StorageOutput;
import io.strata.flink.segment.DataChecksums;
import io.strata.flink.segment.SegmentLayout;
import io.strata.flink.segment.SegmentLayout.ByteRange;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.fs.FSDataInputStream;

/**
 * Downloads one segment of a checkpoint: only the byte ranges of the key groups that are needed,
 * into a sparse local file.
 */
final class SegmentDownloader {

    private static final int BUFFER_BYTES = 64 << 10;

    private final CloseableRegistry cancellation;
    private final RestoreCounters counters;

    /**
     * Creates the downloader.
     *
     * @param cancellation closes the streams that are open when the task is cancelled
     */
    SegmentDownloader(CloseableRegistry cancellation, RestoreCounters counters) {
        this.cancellation = cancellation;
        this.counters = counters;
    }

    /**
     * Downloads a segment and verifies its data on the way (I4); makes no file when it has none of
     * the records that are needed.
     *
     * @param stopped becomes true when the result is no longer wanted
     * @return where everything is in the segment
     * @throws IOException if the remote file is missing, cut or altered; an incomplete local file
     *     may be left then
     */
    SegmentLayout download(SegmentRequest request, BooleanSupplier stopped) throws IOException {
        try (FSDataInputStream in =
                CheckpointInput.open(request.remote(), cancellation, counters)) {
            return download(request, new RemoteReader(request.segment(), in), stopped);
        }
    }

    private static SegmentLayout download(
            SegmentRequest request, RemoteReader source, BooleanSupplier stopped)
            throws IOException {
        RemoteSegment remote = request.segment();
        String name = request.fileName();
        SegmentLayout layout =
                SegmentLayout.read(name, remote.id(), remote.fileBytes(), source::readAndKeep);
        if (layout.hasRecords(request.needed())) {
            try (StorageOutput out = request.directory().create(name)) {
                for (ByteRange range : layout.rangesFor(request.needed())) {
                    DataChecksums checksums = new DataChecksums(name, layout, range);
                    copy(source, range, out, checksums, stopped);
                    checksums.requireComplete();
                }
            }
        }
        return layout;
    }

    private static void copy(
            RemoteReader source,
            ByteRange range,
            StorageOutput out,
            DataChecksums checksums,
            BooleanSupplier stopped)
            throws IOException {
        byte[] buffer = new byte[(int) Math.min(BUFFER_BYTES, range.length())];
        long position = range.offset();
        while (position < range.end()) {
            if (stopped.getAsBoolean()) {
                throw new CancellationException("another transfer failed");
            }
            int length = (int) Math.min(buffer.length, range.end() - position);
            source.readFully(position, buffer, 0, length);
            checksums.update(position, buffer, 0, length);
            out.writeAt(position, buffer, 0, length);
            position += length;
        }
    }
}
