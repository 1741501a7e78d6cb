/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;

/**
 * Takes a checkpoint every so often, one at a time, so that what is written is paid for while it is
 * measured. The synchronous part runs on the measured thread, the asynchronous part on another, as
 * in a task.
 */
public final class CheckpointTimer implements AutoCloseable {

    /** The clock is looked at once in so many records. */
    private static final int LOOK_EVERY = 256;

    private final AbstractKeyedStateBackend<?> backend;
    private final DiscardingStreams streams = new DiscardingStreams();
    private final long intervalNanos;
    private final ExecutorService asynchronous =
            Executors.newSingleThreadExecutor(
                    runnable -> {
                        Thread thread = new Thread(runnable, "checkpoint");
                        thread.setDaemon(true);
                        return thread;
                    });
    private long records;
    private long lastNanos = System.nanoTime();
    private long checkpointId;
    private long completed;
    private Future<SnapshotResult<? extends KeyedStateHandle>> running;

    CheckpointTimer(AbstractKeyedStateBackend<?> backend, long intervalMillis) {
        this.backend = backend;
        this.intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMillis);
    }

    /** Between two records: completes a checkpoint that is done, starts one that is due. */
    void recordBoundary() throws Exception {
        if (++records % LOOK_EVERY != 0 || intervalNanos == 0) {
            return;
        }
        if (running != null && running.isDone()) {
            complete();
        }
        if (running == null && System.nanoTime() - lastNanos >= intervalNanos) {
            start();
        }
    }

    /** Takes a checkpoint now and waits for its end, and for that of one before it. */
    void checkpoint() throws Exception {
        if (running != null) {
            complete();
        }
        start();
        complete();
    }

    /** Checkpoints that were completed. */
    public long completed() {
        return completed;
    }

    /** Bytes that all checkpoints wrote. */
    public long writtenBytes() {
        return streams.writtenBytes();
    }

    private void start() throws Exception {
        lastNanos = System.nanoTime();
        checkpointId++;
        RunnableFuture<? extends SnapshotResult<? extends KeyedStateHandle>> snapshot =
                backend.snapshot(
                        checkpointId,
                        checkpointId,
                        streams,
                        CheckpointOptions.forCheckpointWithDefaultLocation());
        running =
                asynchronous.submit(
                        () -> {
                            snapshot.run();
                            return snapshot.get();
                        });
    }

    private void complete() throws Exception {
        try {
            running.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Checkpoint " + checkpointId + " failed", e.getCause());
        } finally {
            running = null;
        }
        backend.notifyCheckpointComplete(checkpointId);
        completed++;
    }

    @Override
    public void close() throws Exception {
        try {
            if (running != null) {
                complete();
            }
        } finally {
            asynchronous.shutdownNow();
        }
    }
}
