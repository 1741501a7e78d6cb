/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

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

    private static final Map<Integer, Threads> THREADS = new HashMap<>();
    private static ProcessMemory memory;
    private static int users;

    private static final class Threads {
        private final BackgroundThreads flush;
        private final BackgroundThreads compaction;
        private int users;

        private Threads(int number) {
            int flushThreads = number / 2;
            flush = new BackgroundThreads("strata-flush", flushThreads);
            compaction = new BackgroundThreads("strata-compaction", number - flushThreads);
        }
    }

    /** One backend's use of the shared resources; the heap lease is the store's to close. */
    static final class Use implements Closeable {
        private final int backgroundThreads;
        private final Threads threads;
        private final ProcessMemory memory;
        private final HeapLease heapLease;
        private boolean closed;

        private Use(int backgroundThreads, Threads threads, ProcessMemory memory, long hotBytes) {
            this.backgroundThreads = backgroundThreads;
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

        /** Ends the use, after the store was closed; closing twice is allowed. */
        @Override
        public void close() {
            synchronized (THREADS) {
                if (!closed) {
                    closed = true;
                    giveBack(backgroundThreads, threads);
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
     */
    static Use use(long hotBytes, int backgroundThreads) {
        synchronized (THREADS) {
            if (memory == null) {
                memory = new ProcessMemory();
            }
            Threads threads = THREADS.computeIfAbsent(backgroundThreads, Threads::new);
            threads.users++;
            users++;
            return new Use(backgroundThreads, threads, memory, hotBytes);
        }
    }

    /** Returns how many backends of the process use anything, for tests that look for leaks. */
    static int users() {
        synchronized (THREADS) {
            return users;
        }
    }

    private static void giveBack(int backgroundThreads, Threads threads) {
        threads.users--;
        users--;
        if (threads.users == 0) {
            THREADS.remove(backgroundThreads);
            threads.flush.close();
            threads.compaction.close();
        }
        if (users == 0) {
            memory.close();
            memory = null;
        }
    }
}
