/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.hot.HeapBudget;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.pagecache.PageMemory;
import io.strata.flink.pagecache.SlabAllocator;
import io.strata.flink.segment.SegmentOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A burst of new keys while flushes are slower than the task, counted without a clock. */
class BurstTest {

    private static final long HOT_BYTES = 1 << 20;

    @TempDir Path root;

    private final BusyFlushThreads flushes = new BusyFlushThreads();
    private final ExecutorService compactions =
            Executors.newSingleThreadExecutor(task -> new Thread(task, "compactions"));
    private LocalStorageDirectory directory;
    private TieredStore store;
    private ValueTable<Long, Integer, long[]> values;

    @BeforeEach
    void open() throws Exception {
        directory = LocalStorageDirectory.create(root.resolve("store"));
        store =
                new TieredStore(
                        new StoreConfig(
                                directory,
                                new PageMemory(1 << 16, SlabAllocator.directBuffers())
                                        .newCache(1024),
                                new HeapBudget(HOT_BYTES).lease(),
                                flushes,
                                compactions,
                                new SegmentOptions(1024, 10),
                                new KeyGroupSpan(0, TestCodecs.KEY_GROUPS - 1),
                                StoreTuning.standard()));
        values = store.valueTable("values", new TestCodecs.Keys(), new TestCodecs.Cells());
    }

    @AfterEach
    void close() throws Exception {
        flushes.goOn();
        store.close();
        flushes.thread.shutdown();
        compactions.shutdown();
        directory.close();
    }

    /** All flush threads work for others: the task writes what is frozen, part by part. */
    @Test
    void aStallEndsWithTheFirstPartOfWhatIsFrozen() throws Exception {
        StoreCounters counters = store.counters();
        long largestPart = 0;
        for (long key = 0; key < 100_000; key++) {
            long stalls = counters.flushStalls.count();
            long dirty = store.hotBytes().dirtyBytes();
            values.put(key, 0, new long[] {key});
            store.recordBoundary();
            assertThat(store.hotBytes().bytes()).isLessThan(HOT_BYTES + 1024);
            if (counters.flushStalls.count() > stalls) {
                assertThat(counters.flushStalls.count()).isEqualTo(stalls + 1);
                // the task has gone on until most of what it may have was dirty
                assertThat(dirty).isGreaterThan(HOT_BYTES / 2);
                largestPart = Math.max(largestPart, dirty - store.hotBytes().dirtyBytes());
            }
        }
        assertThat(counters.flushStalls.count()).isBetween(50L, 200L);
        assertThat(counters.flushes).isEqualTo(counters.flushStalls.count());
        // the first flush began in quiet, with a quarter of the lease; no stall waits for more
        assertThat(largestPart).isLessThan(HOT_BYTES / 4 + 1024);
    }

    @Test
    void whereFlushesKeepUpTheyAreLarge() throws Exception {
        flushes.goOn();
        for (long key = 0; key < 100_000; key++) {
            values.put(key, 0, new long[] {key});
            store.recordBoundary();
            flushes.awaitIdle();
        }
        StoreCounters counters = store.counters();
        // a hash array that grows may need room at once
        assertThat(counters.flushStalls.count()).isLessThanOrEqualTo(2);
        long keysAFlush = 100_000 / counters.flushes;
        long bytesAKey = HOT_BYTES / values.hotEntries();
        assertThat(keysAFlush * bytesAKey).isGreaterThan(HOT_BYTES / 5);
    }

    /** Does nothing, as if busy, until it is told to go on. */
    private static final class BusyFlushThreads implements Executor {

        private final List<Runnable> held = new ArrayList<>();
        private final ExecutorService thread =
                Executors.newSingleThreadExecutor(task -> new Thread(task, "flushes"));
        private boolean goesOn;

        @Override
        public synchronized void execute(Runnable command) {
            if (goesOn) {
                thread.execute(command);
            } else {
                held.add(command);
            }
        }

        synchronized void goOn() {
            goesOn = true;
            held.forEach(thread::execute);
            held.clear();
        }

        /** Waits until nothing is left to do. */
        void awaitIdle() throws Exception {
            thread.submit(() -> {}).get();
        }
    }
}
