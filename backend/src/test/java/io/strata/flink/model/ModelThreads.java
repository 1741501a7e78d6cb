/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of the asynchronous parts of checkpoints; they end by themselves when idle. */
final class ModelThreads {
    private static final AtomicInteger STARTED = new AtomicInteger();

    static final ExecutorService ASYNCHRONOUS =
            Executors.newCachedThreadPool(
                    task -> {
                        Thread thread =
                                new Thread(task, "model-snapshot-" + STARTED.incrementAndGet());
                        thread.setDaemon(true);
                        return thread;
                    });

    private ModelThreads() {}
}
