/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.transfer;

import io.strata.flink.checkpoint.files.RemoteFile;
import io.strata.flink.checkpoint.files.RemoteSegment;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.io.StorageDirectory;
import io.strata.flink.io.StorageInput;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentLayout;
import io.strata.flink.segment.SegmentLayout.ByteRange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.flink.runtime.state.StreamStateHandle;

/**
 * Copies segments to a checkpoint, several at a time: whole files byte for byte; of files that a
 * rescale left sparse, only the ranges that are there.
 */
public final class SegmentUploader {

    private static final int BUFFER_BYTES = 64 << 10;

    private final TransferPool pool;

    /** One segment that is to be uploaded and the directory that its file is in. */
    public record Source(Segment segment, StorageDirectory directory) {}

    public SegmentUploader(TransferPool pool) {
        this.pool = pool;
    }

    /** Uploads segments and returns them in the given order. */
    public List<RemoteFile> upload(List<Source> sources, CheckpointTarget target) throws Exception {
        return pool.runAll(
                sources.stream()
                        .<Transfer<RemoteFile>>map(source -> stop -> upload(source, target, stop))
                        .toList());
    }

    private static RemoteFile upload(
            Source source, CheckpointTarget target, BooleanSupplier stopped) throws IOException {
        try (StorageInput in = source.directory().open(source.segment().id().fileName())) {
            RemoteSegment remote = describe(source.segment(), in);
            StreamStateHandle handle =
                    target.writeSegment(
                            out -> {
                                for (ByteRange extent : remote.extents()) {
                                    copy(in, extent, out, stopped);
                                }
                            });
            return new RemoteFile(remote, handle);
        }
    }

    /** Returns what an upload of the segment would hold. */
    static RemoteSegment describe(Segment segment, StorageInput in) throws IOException {
        if (segment.present().equals(KeyGroupSpan.ALL)) {
            return RemoteSegment.whole(segment.id(), segment.fileBytes());
        }
        SegmentLayout layout =
                SegmentLayout.read(in.name(), segment.id(), segment.fileBytes(), in::readFully);
        return new RemoteSegment(
                segment.id(),
                segment.fileBytes(),
                segment.present(),
                layout.rangesFor(segment.present()));
    }

    private static void copy(
            StorageInput in, ByteRange range, OutputStream out, BooleanSupplier stopped)
            throws IOException {
        byte[] buffer = new byte[(int) Math.min(BUFFER_BYTES, range.length())];
        long position = range.offset();
        while (position < range.end()) {
            if (stopped.getAsBoolean()) {
                throw new CancellationException("another transfer failed");
            }
            int length = (int) Math.min(buffer.length, range.end() - position);
            in.readFully(position, ByteBuffer.wrap(buffer, 0, length));
            out.write(buffer, 0, length);
            position += length;
        }
    }
}
