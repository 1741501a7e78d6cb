/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import io.strata.flink.engine.BackgroundThreads;
import io.strata.flink.hot.HeapBudget;
import io.strata.flink.hot.HeapLease;
import java.io.Closeable;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * What all keyed backends of one process share: the heap budget and the threads that flush and
 * compact.
 *
 * <p>Backends with the same settings share the same; jobs of one process that were given different
 * settings each get what they were given. What nobody uses any more goes. Thread-safe.
 */
final class ProcessResources {

    private static final Map<Key, Shared> SHARED = new HashMap<>();

    private record Key(long hotBytes, int backgroundThreads) {}

    private static final class Shared {
        private final HeapBudget budget;
        private final BackgroundThreads flush;
        private final BackgroundThreads compaction;
        private int users;

        private Shared(Key key) {
            budget = new HeapBudget(key.hotBytes());
            int flushThreads = key.backgroundThreads() / 2;
            flush = new BackgroundThreads("strata-flush", flushThreads);
            compaction =
                    new BackgroundThreads(
                            "strata-compaction", key.backgroundThreads() - flushThreads);
        }
    }

    /** One backend's use of the shared resources; the heap lease is the store's to close. */
    static final class Use implements Closeable {
        private final Key key;
        private final Shared shared;
        private final HeapLease heapLease;
        private boolean closed;

        private Use(Key key, Shared shared) {
            this.key = key;
            this.shared = shared;
            this.heapLease = shared.budget.lease();
        }

        HeapLease heapLease() {
            return heapLease;
        }

        Executor flushExecutor() {
            return shared.flush;
        }

        Executor compactionExecutor() {
            return shared.compaction;
        }

        /** Ends the use, after the store was closed; closing twice is allowed. */
        @Override
        public void close() {
            synchronized (SHARED) {
                if (!closed) {
                    closed = true;
                    giveBack(key, shared);
                }
            }
        }
    }

    private ProcessResources() {}

    /**
     * Begins a use; the lease in it is open.
     *
     * @param hotBytes the heap budget of the process
     * @param backgroundThreads threads that flush and compact
     */
    static Use use(long hotBytes, int backgroundThreads) {
        Key key = new Key(hotBytes, backgroundThreads);
        synchronized (SHARED) {
            Shared shared = SHARED.computeIfAbsent(key, Shared::new);
            shared.users++;
            return new Use(key, shared);
        }
    }

    /** Returns how many backends of the process use anything, for tests that look for leaks. */
    static int users() {
        synchronized (SHARED) {
            return SHARED.values().stream().mapToInt(shared -> shared.users).sum();
        }
    }

    private static void giveBack(Key key, Shared shared) {
        shared.users--;
        if (shared.users == 0) {
            SHARED.remove(key);
            shared.flush.close();
            shared.compaction.close();
        }
    }
}
