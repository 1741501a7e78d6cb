/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import java.io.Closeable;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A bounded set of named daemon threads, started when there is work and ended after a while without
 * any.
 */
final class BackgroundThreads implements Executor, Closeable {

    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor executor;

    BackgroundThreads(String name, int threads) {
        AtomicInteger number = new AtomicInteger();
        executor =
                new ThreadPoolExecutor(
                        threads,
                        threads,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        work -> {
                            Thread thread = new Thread(work, name + "-" + number.getAndIncrement());
                            thread.setDaemon(true);
                            return thread;
                        });
        executor.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable work) {
        executor.execute(work);
    }

    /** Lets the threads end when their work is done. */
    @Override
    public void close() {
        executor.shutdown();
    }
}
