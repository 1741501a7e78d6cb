/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint;

import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.io.StorageOutput;
import io.strata.flink.segment.DataChecksums;
import io.strata.flink.segment.SegmentLayout;
import io.strata.flink.segment.SegmentLayout.ByteRange;
import java.io.IOException;
import java.nio.ByteBuffer;
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

    /**
     * Creates the downloader.
     *
     * @param cancellation closes the streams that are open when the task is cancelled
     */
    SegmentDownloader(CloseableRegistry cancellation) {
        this.cancellation = cancellation;
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
        try (FSDataInputStream in = request.remote().openInputStream()) {
            cancellation.registerCloseable(in);
            try {
                return download(request, new Source(request.segment(), in), stopped);
            } finally {
                cancellation.unregisterCloseable(in);
            }
        }
    }

    private static SegmentLayout download(
            SegmentRequest request, Source source, BooleanSupplier stopped) throws IOException {
        RemoteSegment remote = source.remote();
        String name = request.fileName();
        SegmentLayout layout =
                SegmentLayout.read(name, remote.id(), remote.fileBytes(), source::readFully);
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
            Source source,
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
            source.readFully(position, ByteBuffer.wrap(buffer, 0, length));
            checksums.update(position, buffer, 0, length);
            out.writeAt(position, buffer, 0, length);
            position += length;
        }
    }

    /** A remote file that answers for positions in the segment. */
    private record Source(RemoteSegment remote, FSDataInputStream in) {

        void readFully(long position, ByteBuffer target) throws IOException {
            int length = target.remaining();
            long uploadedAt = remote.locate(position, length);
            if (uploadedAt < 0) {
                throw cut(length + " bytes at " + position, "not in the uploaded ranges");
            }
            in.seek(uploadedAt);
            byte[] bytes = target.hasArray() ? target.array() : new byte[length];
            int offset = target.hasArray() ? target.arrayOffset() + target.position() : 0;
            int read = in.readNBytes(bytes, offset, length);
            if (read < length) {
                throw cut(length + " bytes at " + position, read + " bytes, then the end of it");
            }
            if (target.hasArray()) {
                target.position(target.limit());
            } else {
                target.put(bytes);
            }
        }

        private CorruptFormatException cut(String expected, String found) {
            return new CorruptFormatException(
                    remote.id().fileName(), "remote file", expected, found);
        }
    }
}
