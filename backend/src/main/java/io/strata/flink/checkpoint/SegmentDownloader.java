/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint;

import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.io.StorageDirectory;
import io.strata.flink.io.StorageOutput;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentLayout;
import io.strata.flink.segment.SegmentLayout.ByteRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.fs.FSDataInputStream;

/**
 * Fetches segments of a checkpoint, several at a time: of each only the byte ranges of the key
 * groups that are needed, into a sparse local file. All that was fetched is verified (I4).
 */
final class SegmentDownloader {

    private static final int BUFFER_BYTES = 64 << 10;

    private final TransferPool pool;
    private final CloseableRegistry cancellation;

    /** One segment to fetch: the remote file, the key groups that are needed, and where to. */
    record Request(RemoteFile file, KeyGroupSpan needed, StorageDirectory directory) {}

    /**
     * Creates the downloader.
     *
     * @param cancellation closes the streams that are open when the task is cancelled
     */
    SegmentDownloader(TransferPool pool, CloseableRegistry cancellation) {
        this.pool = pool;
        this.cancellation = cancellation;
    }

    /**
     * Fetches and opens segments; the caller owns one reference to each.
     *
     * @return the segments in the order of the requests, null for one without any needed record
     * @throws SegmentRestoreException if a remote file is missing, cut or altered; nothing stays
     *     open or on disk then
     */
    List<Segment> download(List<Request> requests) throws Exception {
        List<Segment> opened = new ArrayList<>();
        try {
            return pool.runAll(
                    requests.stream()
                            .<Transfer<Segment>>map(
                                    request ->
                                            stopped -> {
                                                Segment segment = fetch(request, stopped);
                                                keepTrack(opened, segment);
                                                return segment;
                                            })
                            .toList());
        } catch (Exception | Error e) {
            opened.forEach(Segment::release);
            throw e;
        }
    }

    private static void keepTrack(List<Segment> opened, Segment segment) {
        if (segment != null) {
            synchronized (opened) {
                opened.add(segment);
            }
        }
    }

    private Segment fetch(Request request, BooleanSupplier stopped) throws IOException {
        RemoteSegment remote = request.file().segment();
        try (FSDataInputStream in = request.file().handle().openInputStream()) {
            cancellation.registerCloseable(in);
            try {
                return fetch(request, new Source(remote, in), stopped);
            } finally {
                cancellation.unregisterCloseable(in);
            }
        } catch (IOException e) {
            throw new SegmentRestoreException("segment " + remote.id(), request.file().handle(), e);
        }
    }

    private static Segment fetch(Request request, Source source, BooleanSupplier stopped)
            throws IOException {
        RemoteSegment remote = source.remote();
        String name = remote.id().fileName();
        SegmentLayout layout =
                SegmentLayout.read(name, remote.id(), remote.fileBytes(), source::readFully);
        if (!layout.hasRecords(request.needed())) {
            return null;
        }
        List<ByteRange> ranges = layout.rangesFor(request.needed());
        boolean isWhole = ranges.equals(List.of(new ByteRange(0, remote.fileBytes())));
        Segment segment = null;
        boolean verified = false;
        try {
            try (StorageOutput out = request.directory().create(name)) {
                for (ByteRange range : ranges) {
                    copy(source, range, out, stopped);
                }
            }
            KeyGroupSpan present = isWhole ? KeyGroupSpan.ALL : request.needed();
            segment = Segment.open(request.directory(), remote.id(), present);
            segment.verifyData();
            verified = true;
            return segment;
        } finally {
            if (!verified) {
                discard(request.directory(), name, segment);
            }
        }
    }

    private static void discard(StorageDirectory directory, String name, Segment segment)
            throws IOException {
        if (segment != null) {
            segment.release();
        } else if (directory.exists(name)) {
            directory.delete(name);
        }
    }

    private static void copy(
            Source source, ByteRange range, StorageOutput out, BooleanSupplier stopped)
            throws IOException {
        byte[] buffer = new byte[(int) Math.min(BUFFER_BYTES, range.length())];
        long position = range.offset();
        while (position < range.end()) {
            if (stopped.getAsBoolean()) {
                throw new CancellationException("another transfer failed");
            }
            int length = (int) Math.min(buffer.length, range.end() - position);
            source.readFully(position, ByteBuffer.wrap(buffer, 0, length));
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
