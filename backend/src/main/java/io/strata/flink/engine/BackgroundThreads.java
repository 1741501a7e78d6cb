/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

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
public final class BackgroundThreads implements Executor, Closeable {

    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor executor;

    /**
     * Creates the set; threads start when there is work.
     *
     * @param name names the threads: {@code <name>-<number>}
     * @param threads how many run at the same time, at most
     */
    public BackgroundThreads(String name, int threads) {
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

    /** Takes back work that has not begun; harmless when it has. */
    public void remove(Runnable work) {
        executor.remove(work);
    }

    /** Lets the threads end when their work is done. */
    @Override
    public void close() {
        executor.shutdown();
    }
}
