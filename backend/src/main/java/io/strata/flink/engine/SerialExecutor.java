/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;

/**
 * Runs tasks of one store one after another, in order, on threads that many stores share, or on the
 * thread of who cannot wait for these.
 *
 * <p>Any thread may call.
 */
final class SerialExecutor implements Executor {

    private final Executor shared;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();

    /** Whether a task runs, on whatever thread. */
    private boolean busy;

    /** Whether a call of {@link #work} is under way to the shared threads. */
    private boolean asked;

    SerialExecutor(Executor shared) {
        this.shared = shared;
    }

    @Override
    public void execute(Runnable task) {
        synchronized (waiting) {
            waiting.add(task);
        }
        ask();
    }

    /**
     * Runs a task here and now if it is the next one and has not begun.
     *
     * @return false if another one runs, or this one does or did
     */
    boolean runHere(Runnable task) {
        synchronized (waiting) {
            if (busy || waiting.peek() != task) {
                return false;
            }
            waiting.remove();
            busy = true;
        }
        run(task);
        return true;
    }

    private void ask() {
        synchronized (waiting) {
            if (busy || asked || waiting.isEmpty()) {
                return;
            }
            asked = true;
        }
        shared.execute(this::work);
    }

    private void work() {
        Runnable task;
        synchronized (waiting) {
            asked = false;
            if (busy || waiting.isEmpty()) {
                return; // somebody was faster; whoever is busy asks again when he is done
            }
            task = waiting.remove();
            busy = true;
        }
        run(task);
    }

    private void run(Runnable task) {
        try {
            task.run();
        } finally {
            synchronized (waiting) {
                busy = false;
            }
            ask();
        }
    }
}
