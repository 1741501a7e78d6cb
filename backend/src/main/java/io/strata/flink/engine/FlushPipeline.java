/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.segment.SegmentMemory;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The flushes of one store that are sealed but not installed, oldest first. Task thread only; the
 * jobs themselves run one after another, as a rule on the flush threads.
 */
final class FlushPipeline {

    private final StoreConfig config;
    private final SegmentMemory memory;
    private final SerialExecutor executor;
    private final SortedRunWriter runWriter;
    private final Runnable whenDone;
    private final ArrayDeque<FlushJob> pending = new ArrayDeque<>();

    /** Parallel to {@link #pending}. */
    private final ArrayDeque<Long> pendingBytes = new ArrayDeque<>();

    private long inFlightBytes;

    /**
     * @param whenDone called by a flush thread after every job
     */
    FlushPipeline(StoreConfig config, Runnable whenDone) {
        this.config = config;
        this.memory = config.pageCache().segmentMemory();
        this.executor = new SerialExecutor(config.flushExecutor());
        this.runWriter = new SortedRunWriter(config.keyGroups());
        this.whenDone = whenDone;
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    int size() {
        return pending.size();
    }

    /** Returns the heap bytes that the epochs in flight had when they were sealed. */
    long inFlightBytes() {
        return inFlightBytes;
    }

    /**
     * Starts the flush of a sealed epoch.
     *
     * @param sealedBytes the heap bytes of what it dirtied
     */
    void submit(int epoch, List<FlushBatch> batches, long sealedBytes) {
        FlushJob job = new FlushJob(epoch, batches, config, memory, runWriter, whenDone);
        pending.add(job);
        pendingBytes.add(sealedBytes);
        inFlightBytes += sealedBytes;
        executor.execute(job);
    }

    /** Returns the jobs under way, each with one more holder: the caller. */
    List<FlushJob> holdAll() {
        List<FlushJob> jobs = List.copyOf(pending);
        jobs.forEach(FlushJob::addHolder);
        return jobs;
    }

    /** Tells whether the oldest flush is done and can be taken without waiting. */
    boolean oldestIsDone() {
        return !pending.isEmpty() && pending.peek().isDone();
    }

    /**
     * Waits for the oldest flush and takes it out; if no flush thread has begun with it, the task
     * thread does it itself, since it has nothing better to do. The caller installs the segment,
     * then calls {@link FlushJob#releaseHolder}.
     *
     * @throws IOException if the flush failed; it stays in the pipeline, and so fails every later
     *     attempt too: nothing newer is ever installed over the gap (I5)
     */
    FlushJob takeOldest() throws IOException {
        FlushJob job = pending.element();
        executor.runHere(job);
        try {
            job.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while waiting for a flush.");
        }
        pending.remove();
        inFlightBytes -= pendingBytes.remove();
        return job;
    }

    /** Waits until no job runs any more and lets go of all, whether they succeeded or not. */
    void close() {
        boolean interrupted = false;
        for (FlushJob job : pending) {
            interrupted |= !job.awaitDone();
            job.releaseHolder();
        }
        pending.clear();
        pendingBytes.clear();
        inFlightBytes = 0;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
