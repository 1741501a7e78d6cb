/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;

/**
 * Runs tasks of one store one after another, in order, on threads that many stores share.
 *
 * <p>Any thread may call.
 */
final class SerialExecutor implements Executor {

    private final Executor shared;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private boolean running;

    SerialExecutor(Executor shared) {
        this.shared = shared;
    }

    @Override
    public void execute(Runnable task) {
        synchronized (waiting) {
            waiting.add(task);
            if (running) {
                return;
            }
            running = true;
        }
        startNext();
    }

    private void startNext() {
        Runnable task;
        synchronized (waiting) {
            task = waiting.poll();
            if (task == null) {
                running = false;
                return;
            }
        }
        shared.execute(
                () -> {
                    try {
                        task.run();
                    } finally {
                        startNext();
                    }
                });
    }
}
