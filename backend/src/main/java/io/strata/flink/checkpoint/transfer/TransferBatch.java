/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.transfer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * Transfers that belong together: several threads take them one by one, the first failure ends all.
 */
final class TransferBatch<T> {

    private final List<? extends Transfer<T>> transfers;
    private final List<T> results;

    /** Guarded by this, as is all that follows. */
    private int next;

    private int running;
    private Throwable failure;

    TransferBatch(List<? extends Transfer<T>> transfers) {
        this.transfers = transfers;
        this.results = new ArrayList<>(Collections.nCopies(transfers.size(), null));
    }

    /** Returns work for another thread; it does nothing when it comes too late. */
    Runnable helper() {
        return this::work;
    }

    /** Runs transfers until none is left to begin. */
    void work() {
        for (int index = take(); index >= 0; index = take()) {
            try {
                finish(index, transfers.get(index).run(this::isStopped));
            } catch (Throwable e) {
                fail(e);
            }
        }
    }

    /** Waits for the transfers that still run, through interrupts, and returns all results. */
    List<T> results() throws Exception {
        awaitAll();
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof Exception exception) {
            throw exception;
        }
        return results;
    }

    private synchronized void awaitAll() {
        boolean interrupted = false;
        while (running > 0) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
                recordFailure(new CancellationException("interrupted during a transfer"));
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized int take() {
        if (failure != null || next == transfers.size()) {
            return -1;
        }
        running++;
        return next++;
    }

    private synchronized void finish(int index, T result) {
        results.set(index, result);
        running--;
        notifyAll();
    }

    private synchronized void fail(Throwable e) {
        recordFailure(e);
        running--;
        notifyAll();
    }

    /** Begins no further transfer; {@link #results} throws the failure. */
    synchronized void abandon(Throwable e) {
        recordFailure(e);
    }

    /**
     * Keeps the first failure; one that only says "stopped" gives way to its reason. Two transfers
     * may throw the very same exception, which cannot be suppressed by itself.
     */
    private void recordFailure(Throwable e) {
        if (failure == e) {
            return;
        }
        if (failure == null) {
            failure = e;
        } else if (failure instanceof CancellationException) {
            e.addSuppressed(failure);
            failure = e;
        } else if (!(e instanceof CancellationException)) {
            failure.addSuppressed(e);
        }
    }

    private synchronized boolean isStopped() {
        return failure != null;
    }
}
