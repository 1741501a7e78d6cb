/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.transfer;

import io.strata.flink.checkpoint.files.RemoteSegment;
import io.strata.flink.io.StorageOutput;
import io.strata.flink.segment.SegmentLayout;
import io.strata.flink.segment.SegmentLayout.ByteRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.fs.FSDataInputStream;

/**
 * Brings one segment of a checkpoint: by a hard link where the checkpoint is on the file system of
 * the local directory, elsewhere by a download of the byte ranges of the key groups that are needed
 * into a sparse local file. Both read these ranges once and verify them (I4). Pieces of a large
 * segment are downloaded side by side, so that a state that was compacted into one segment comes as
 * fast as one in many.
 */
public final class SegmentDownloader {

    /** A segment is cut into pieces when two of them would be at least as long as this. */
    public static final long PIECE_BYTES = 16 << 20;

    private static final int BUFFER_BYTES = 64 << 10;

    private final TransferPool pool;
    private final CloseableRegistry cancellation;
    private final RestoreCounters counters;
    private final boolean links;
    private final long pieceBytes;

    /**
     * Creates the downloader.
     *
     * @param links whether to link where that is possible
     * @param cancellation closes the streams that are open when the task is cancelled
     * @param pieceBytes see {@link #PIECE_BYTES}
     */
    public SegmentDownloader(
            TransferPool pool,
            CloseableRegistry cancellation,
            RestoreCounters counters,
            boolean links,
            long pieceBytes) {
        this.pool = pool;
        this.cancellation = cancellation;
        this.counters = counters;
        this.links = links;
        this.pieceBytes = pieceBytes;
    }

    /**
     * Brings a segment and verifies its data (I4); makes no file when it has none of the records
     * that are needed.
     *
     * @param stopped becomes true when the result is no longer wanted
     * @return where everything is in the segment
     * @throws IOException if the remote file is missing, cut or altered; an incomplete local file
     *     may be left then
     */
    SegmentLayout download(SegmentRequest request, BooleanSupplier stopped) throws Exception {
        try (FSDataInputStream in = open(request)) {
            RemoteReader reader = new RemoteReader(request.segment(), in);
            RemoteSegment remote = request.segment();
            SegmentLayout layout =
                    SegmentLayout.read(
                            request.fileName(),
                            remote.id(),
                            remote.fileBytes(),
                            reader::readAndKeep);
            if (layout.hasRecords(request.needed())) {
                bring(request, layout, reader, stopped);
            }
            return layout;
        }
    }

    private void bring(
            SegmentRequest request,
            SegmentLayout layout,
            RemoteReader reader,
            BooleanSupplier stopped)
            throws Exception {
        if (links && CheckpointLinks.tryLink(request)) {
            read(request, layout, reader, SegmentCopy.Target.NONE, stopped);
            return;
        }
        try (StorageOutput out = request.directory().create(request.fileName())) {
            SegmentCopy.Target target =
                    (position, bytes, length) -> {
                        // One at a time: a file of a storage directory has one writer.
                        synchronized (out) {
                            out.writeAt(position, bytes, 0, length);
                        }
                    };
            read(request, layout, reader, target, stopped);
        }
    }

    private FSDataInputStream open(SegmentRequest request) throws IOException {
        return CheckpointInput.open(request.remote(), cancellation, counters);
    }

    private void read(
            SegmentRequest request,
            SegmentLayout layout,
            RemoteReader reader,
            SegmentCopy.Target target,
            BooleanSupplier stopped)
            throws Exception {
        SegmentCopy copy = new SegmentCopy(layout, request.fileName(), target, BUFFER_BYTES);
        List<List<ByteRange>> shares = shares(layout.piecesFor(request.needed(), pieceBytes));
        if (shares.size() == 1) {
            copy.run(reader, shares.get(0), stopped);
            return;
        }
        List<Transfer<Void>> transfers = new ArrayList<>();
        for (List<ByteRange> share : shares) {
            transfers.add(
                    failed -> {
                        try (FSDataInputStream in = open(request)) {
                            copy.run(
                                    new RemoteReader(request.segment(), in),
                                    share,
                                    () -> stopped.getAsBoolean() || failed.getAsBoolean());
                        }
                        return null;
                    });
        }
        pool.runAll(transfers);
    }

    /** Puts neighbouring pieces together until each share has enough to be worth a stream. */
    private List<List<ByteRange>> shares(List<ByteRange> pieces) {
        List<List<ByteRange>> shares = new ArrayList<>();
        List<ByteRange> share = new ArrayList<>();
        long shareBytes = 0;
        for (ByteRange piece : pieces) {
            if (shareBytes >= pieceBytes) {
                shares.add(share);
                share = new ArrayList<>();
                shareBytes = 0;
            }
            share.add(piece);
            shareBytes += piece.length();
        }
        shares.add(share);
        return shares;
    }
}
