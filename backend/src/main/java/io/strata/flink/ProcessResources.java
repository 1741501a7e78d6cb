/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import io.strata.flink.compaction.Bandwidth;
import io.strata.flink.compaction.BandwidthClock;
import io.strata.flink.engine.BackgroundThreads;
import io.strata.flink.hot.HeapLease;
import java.io.Closeable;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * What all keyed backends of one process share: the heap budget and the threads that flush and
 * compact.
 *
 * <p>The budget is one for all. Threads are shared by the backends that ask for as many; jobs that
 * ask for different numbers each get what they were given. What nobody uses any more goes.
 * Thread-safe.
 *
 * <p>"Process" means all that this class was loaded for: one TaskManager when Strata is in Flink's
 * {@code lib}, one job when it is in the job's own jar.
 */
final class ProcessResources {

    private static final Map<Key, Threads> THREADS = new HashMap<>();
    private static ProcessMemory memory;
    private static int users;

    /** Settings that backends must share to share threads. */
    private record Key(int backgroundThreads, long compactionBytesPerSecond) {}

    private static final class Threads {
        private final Bandwidth bandwidth;
        private final BackgroundThreads flush;
        private final BackgroundThreads compaction;
        private int users;

        private Threads(Key key) {
            int number = key.backgroundThreads();
            bandwidth = new Bandwidth(key.compactionBytesPerSecond(), BandwidthClock.SYSTEM);
            int flushThreads = number / 2;
            flush = new BackgroundThreads("strata-flush", flushThreads);
            compaction = new BackgroundThreads("strata-compaction", number - flushThreads);
        }
    }

    /** One backend's use of the shared resources; the heap lease is the store's to close. */
    static final class Use implements Closeable {
        private final Key key;
        private final Threads threads;
        private final ProcessMemory memory;
        private final HeapLease heapLease;
        private boolean closed;

        private Use(Key key, Threads threads, ProcessMemory memory, long hotBytes) {
            this.key = key;
            this.threads = threads;
            this.memory = memory;
            this.heapLease = memory.lease(hotBytes);
        }

        HeapLease heapLease() {
            return heapLease;
        }

        ProcessMemory memory() {
            return memory;
        }

        Executor flushExecutor() {
            return threads.flush;
        }

        Executor compactionExecutor() {
            return threads.compaction;
        }

        Bandwidth compactionBandwidth() {
            return threads.bandwidth;
        }

        /** Ends the use, after the store was closed; closing twice is allowed. */
        @Override
        public void close() {
            synchronized (THREADS) {
                if (!closed) {
                    closed = true;
                    giveBack(key, threads);
                }
            }
        }
    }

    private ProcessResources() {}

    /**
     * Begins a use; the lease in it is open.
     *
     * @param hotBytes what the backend's job allows the hot tiers of the process to take
     * @param backgroundThreads threads that flush and compact
     * @param compactionBytesPerSecond what compactions may read and write, 0 for no limit
     */
    static Use use(long hotBytes, int backgroundThreads, long compactionBytesPerSecond) {
        Key key = new Key(backgroundThreads, compactionBytesPerSecond);
        synchronized (THREADS) {
            if (memory == null) {
                memory = new ProcessMemory();
            }
            Threads threads = THREADS.computeIfAbsent(key, Threads::new);
            threads.users++;
            users++;
            return new Use(key, threads, memory, hotBytes);
        }
    }

    /** Returns how many backends of the process use anything, for tests that look for leaks. */
    static int users() {
        synchronized (THREADS) {
            return users;
        }
    }

    private static void giveBack(Key key, Threads threads) {
        threads.users--;
        users--;
        if (threads.users == 0) {
            THREADS.remove(key);
            threads.flush.close();
            threads.compaction.close();
        }
        if (users == 0) {
            memory.close();
            memory = null;
        }
    }
}
