/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.transfer;

import io.strata.flink.engine.BackgroundThreads;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;

/**
 * The bounded, named threads with which one backend moves segments to and from remote storage.
 *
 * <p>The calling thread always moves files too, so a checkpoint makes progress even while all
 * threads of the pool hang in another one. Threads end when they have had nothing to do for a
 * while.
 */
public final class TransferPool implements Closeable {

    private final int threads;
    private final BackgroundThreads helpers;

    /**
     * Creates the pool; threads start when there is work.
     *
     * @param owner names the threads: {@code strata-transfer-<owner>-<number>}
     * @param threads transfers that run at the same time, with the calling thread
     */
    public TransferPool(String owner, int threads) {
        this.threads = threads;
        this.helpers = new BackgroundThreads("strata-transfer-" + owner, threads);
    }

    /**
     * Runs all transfers and returns their results in order. Returns or throws only when none of
     * them runs any more, so that what they read and write can be released then.
     *
     * @throws Exception the first failure, with later ones attached; after it no transfer begins
     */
    <T> List<T> runAll(List<? extends Transfer<T>> transfers) throws Exception {
        TransferBatch<T> batch = new TransferBatch<>(transfers);
        List<Runnable> waiting = new ArrayList<>();
        try {
            for (int i = 1; i < Math.min(threads, transfers.size()); i++) {
                Runnable helper = batch.helper();
                waiting.add(helper);
                helpers.execute(helper);
            }
        } catch (RuntimeException | Error e) {
            batch.abandon(e); // helpers that were started may be at work already
        }
        batch.work();
        waiting.forEach(helpers::remove);
        return batch.results();
    }

    /** Lets running transfers end and takes no new ones. */
    @Override
    public void close() {
        helpers.close();
    }
}
