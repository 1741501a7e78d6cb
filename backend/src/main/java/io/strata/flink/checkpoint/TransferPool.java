/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The bounded, named threads with which one backend moves segments to and from remote storage.
 *
 * <p>The calling thread always moves files too, so a checkpoint makes progress even while all
 * threads of the pool hang in another one. Threads end when they have had nothing to do for a
 * while.
 */
public final class TransferPool implements Closeable {

    private static final long IDLE_SECONDS = 10;

    private final int threads;
    private final ThreadPoolExecutor executor;

    /**
     * Creates the pool; threads start when there is work.
     *
     * @param owner names the threads: {@code strata-transfer-<owner>-<number>}
     * @param threads transfers that run at the same time, with the calling thread
     */
    public TransferPool(String owner, int threads) {
        this.threads = threads;
        AtomicInteger number = new AtomicInteger();
        executor =
                new ThreadPoolExecutor(
                        threads,
                        threads,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        work -> {
                            String name =
                                    "strata-transfer-" + owner + "-" + number.getAndIncrement();
                            Thread thread = new Thread(work, name);
                            thread.setDaemon(true);
                            return thread;
                        });
        executor.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs all transfers and returns their results in order. Returns or throws only when none of
     * them runs any more, so that what they read and write can be released then.
     *
     * @throws Exception the first failure, with later ones attached; after it no transfer begins
     */
    <T> List<T> runAll(List<? extends Transfer<T>> transfers) throws Exception {
        TransferBatch<T> batch = new TransferBatch<>(transfers);
        List<Runnable> helpers = new ArrayList<>();
        for (int i = 1; i < Math.min(threads, transfers.size()); i++) {
            Runnable helper = batch.helper();
            helpers.add(helper);
            executor.execute(helper);
        }
        batch.work();
        helpers.forEach(executor::remove);
        return batch.results();
    }

    /** Lets running transfers end and takes no new ones. */
    @Override
    public void close() {
        executor.shutdown();
    }
}
