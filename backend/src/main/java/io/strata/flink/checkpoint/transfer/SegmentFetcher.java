/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.transfer;

import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.io.StorageInput;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentLayout;
import io.strata.flink.segment.SegmentLayout.ByteRange;
import io.strata.flink.segment.SegmentMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import javax.annotation.Nullable;

/**
 * Brings the segments of a checkpoint to the local directories of a backend, several at a time, and
 * opens them: downloads, or links to the files of a task-local copy. All that is needed of them is
 * verified (I4), also of local files: they may have suffered from what ended the task before.
 */
public final class SegmentFetcher {

    private final TransferPool pool;
    private final SegmentDownloader downloader;
    private final SegmentMemory memory;
    private final RestoreCounters counters;

    public SegmentFetcher(
            TransferPool pool,
            SegmentDownloader downloader,
            SegmentMemory memory,
            RestoreCounters counters) {
        this.pool = pool;
        this.downloader = downloader;
        this.memory = memory;
        this.counters = counters;
    }

    /**
     * Fetches and opens segments; the caller owns one reference to each.
     *
     * @return the segments in the order of the requests, null for one without any needed record
     * @throws SegmentRestoreException if a file is missing, cut or altered; nothing stays open or
     *     on disk then
     */
    public List<Segment> fetch(List<SegmentRequest> requests) throws Exception {
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
            try {
                Segment.releaseAll(opened);
            } catch (RuntimeException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
    }

    private static void keepTrack(List<Segment> opened, @Nullable Segment segment) {
        if (segment != null) {
            synchronized (opened) {
                opened.add(segment);
            }
        }
    }

    @Nullable
    private Segment fetch(SegmentRequest request, BooleanSupplier stopped) throws Exception {
        boolean opened = false;
        try {
            SegmentLayout layout =
                    request.local() != null ? link(request) : downloader.download(request, stopped);
            if (!layout.hasRecords(request.needed())) {
                return null;
            }
            Segment segment = open(request, layout);
            opened = true;
            counters.opened(segment, request.needed());
            return segment;
        } catch (IOException e) {
            throw new SegmentRestoreException(
                    "segment " + request.segment().id(), request.origin(), e);
        } finally {
            if (!opened && request.directory().exists(request.fileName())) {
                request.directory().delete(request.fileName());
            }
        }
    }

    private static SegmentLayout link(SegmentRequest request) throws IOException {
        request.directory().linkIn(request.local(), request.fileName());
        try (StorageInput in = request.directory().open(request.fileName())) {
            return SegmentLayout.read(
                    in.name(), request.segment().id(), in.sizeBytes(), in::readFully);
        }
    }

    /**
     * Opens a file that holds at least the key groups that are needed; what was downloaded has been
     * verified on its way.
     */
    private Segment open(SegmentRequest request, SegmentLayout layout) throws IOException {
        List<ByteRange> ranges = layout.rangesFor(request.needed());
        boolean isWhole = ranges.equals(List.of(new ByteRange(0, layout.fileBytes())));
        Segment segment =
                Segment.open(
                        request.directory(),
                        request.segment().id(),
                        isWhole ? KeyGroupSpan.ALL : request.needed(),
                        memory);
        boolean verified = false;
        try {
            if (request.local() != null) {
                segment.verifyData();
            }
            verified = true;
            return segment;
        } finally {
            if (!verified) {
                segment.release();
            }
        }
    }
}
