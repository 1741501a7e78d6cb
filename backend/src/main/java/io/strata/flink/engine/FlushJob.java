/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentMemory;
import io.strata.flink.segment.SegmentWriter;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The flush of one sealed epoch: frozen entries in, one opened segment out.
 *
 * <p>Run by a flush thread, or by a task thread that has to wait for it; awaited by the task thread
 * and by snapshots. The segment stays alive as long as somebody holds the job: the runner until it
 * is done, the store until the result is installed, and every snapshot that was taken while the
 * flush was pending.
 */
final class FlushJob implements Runnable {

    private static final int INITIAL_HOLDERS = 2; // the runner and the store

    private final int epoch;
    private final List<FlushBatch> batches;
    private final StoreConfig config;
    private final SegmentMemory memory;
    private final SortedRunWriter runWriter;
    private final Runnable whenDone;
    private final CountDownLatch done = new CountDownLatch(1);
    private final AtomicInteger holders = new AtomicInteger(INITIAL_HOLDERS);

    /** Written by the runner before {@link #done} opens, read after. */
    private Segment segment;

    private Throwable failure;

    FlushJob(
            int epoch,
            List<FlushBatch> batches,
            StoreConfig config,
            SegmentMemory memory,
            SortedRunWriter runWriter,
            Runnable whenDone) {
        this.epoch = epoch;
        this.batches = batches;
        this.config = config;
        this.memory = memory;
        this.runWriter = runWriter;
        this.whenDone = whenDone;
    }

    int epoch() {
        return epoch;
    }

    @Override
    public void run() {
        try {
            segment = writeSegment();
        } catch (Throwable t) {
            // any failure reaches those who wait; none may end the shared thread
            failure = t;
        } finally {
            // first: who waited for the end may count on the runner having let go
            releaseHolder();
            done.countDown();
            whenDone.run();
        }
    }

    private Segment writeSegment() throws IOException {
        SegmentId id = SegmentIds.next();
        try (SegmentWriter writer =
                SegmentWriter.create(config.directory(), id, config.segmentOptions())) {
            for (FlushBatch batch : batches) {
                runWriter.write(batch, writer);
            }
            writer.finish();
        }
        try {
            return Segment.open(config.directory(), id, KeyGroupSpan.ALL, memory);
        } catch (IOException | RuntimeException e) {
            config.directory().delete(id.fileName());
            throw e;
        }
    }

    boolean isDone() {
        return done.getCount() == 0;
    }

    /**
     * Waits until the job no longer runs, through interrupts: a job that goes on writing would
     * leave files behind.
     *
     * @return false if the waiting thread was interrupted meanwhile
     */
    boolean awaitDone() {
        boolean undisturbed = true;
        while (true) {
            try {
                done.await();
                return undisturbed;
            } catch (InterruptedException e) {
                undisturbed = false;
            }
        }
    }

    /** Returns the segment of a job that is done; the caller must be a holder. */
    Segment segment() throws IOException {
        if (!isDone()) {
            throw new IllegalStateException("Flush of epoch " + epoch + " still runs.");
        }
        if (failure instanceof RuntimeException thrown) {
            throw thrown; // by a serializer: the user knows it as it is
        }
        if (failure instanceof Error thrown) {
            throw thrown;
        }
        if (failure != null) {
            throw new IOException(
                    "Flush of epoch %d to the local directory failed: %s"
                            .formatted(epoch, failure.getMessage()),
                    failure);
        }
        return segment;
    }

    /** Waits for the segment. The caller must be a holder. */
    Segment await() throws IOException, InterruptedException {
        done.await();
        return segment();
    }

    void addHolder() {
        if (holders.getAndIncrement() <= 0) {
            throw new IllegalStateException("Flush of epoch " + epoch + " has no holder left.");
        }
    }

    void releaseHolder() {
        int left = holders.decrementAndGet();
        if (left < 0) {
            throw new IllegalStateException("Flush of epoch " + epoch + " released too often.");
        }
        if (left == 0 && segment != null) {
            segment.release();
        }
    }
}
