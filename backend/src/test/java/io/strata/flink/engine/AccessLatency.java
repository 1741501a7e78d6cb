/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.Bandwidth;
import io.strata.flink.compaction.BandwidthClock;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.hot.HeapBudget;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.pagecache.PageMemory;
import io.strata.flink.pagecache.SlabAllocator;
import io.strata.flink.segment.SegmentOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A program, no test: how long a read and update of cold state takes while merges wait, while they
 * run, and while they run with a bandwidth. What it showed is in ADR 0012.
 */
final class AccessLatency {

    private static final int KEYS = 400_000;
    private static final int OPERATIONS = 150_000;
    private static final int ROUNDS = 4;

    private final Random random = new Random(7);
    private final HeldBack merges;
    private final TieredStore store;
    private final ValueTable<Long, Integer, Long> table;

    /** Merges that are started when the program says so. */
    private static final class HeldBack implements Executor {

        private final Executor executor;
        private final List<Runnable> waiting = new ArrayList<>();
        private boolean open = true;

        HeldBack(Executor executor) {
            this.executor = executor;
        }

        @Override
        public void execute(Runnable work) {
            if (open) {
                executor.execute(work);
            } else {
                waiting.add(work);
            }
        }

        void setOpen(boolean now) {
            open = now;
            if (open) {
                waiting.forEach(executor::execute);
                waiting.clear();
            }
        }
    }

    private AccessLatency(Path root, ExecutorService executor, long bytesPerSecond)
            throws IOException {
        merges = new HeldBack(executor);
        PageMemory memory = new PageMemory(128 << 20, SlabAllocator.directBuffers());
        store =
                new TieredStore(
                        new StoreConfig(
                                LocalStorageDirectory.create(root),
                                memory.newCache(4096),
                                new HeapBudget(16 << 20).lease(),
                                executor,
                                merges,
                                new SegmentOptions(4096, 10),
                                new KeyGroupSpan(0, TestCodecs.KEY_GROUPS - 1),
                                StoreTuning.standard(),
                                new Bandwidth(bytesPerSecond, BandwidthClock.SYSTEM)));
        table = store.valueTable("state", new TestCodecs.Keys(), new FilledNumbers(100));
    }

    /** The first argument is a bandwidth in MiB a second, 0 for no limit. */
    public static void main(String[] arguments) throws IOException {
        long bandwidth = Long.parseLong(arguments[0]) << 20;
        Path root = Files.createTempDirectory("access-latency");
        ExecutorService executor =
                Executors.newFixedThreadPool(2, work -> new Thread(work, "access-latency"));
        AccessLatency program = new AccessLatency(root.resolve("store"), executor, bandwidth);
        program.run();
        program.store.close();
        executor.shutdown();
    }

    private void run() throws IOException {
        for (long key = 0; key < KEYS; key++) {
            store.recordBoundary();
            table.put(key, 0, key);
        }
        measure("warm-up");
        for (int round = 0; round < ROUNDS; round++) {
            merges.setOpen(false);
            measure("merges wait");
            merges.setOpen(true);
            measure("merges run");
            store.awaitCompactions();
        }
    }

    private void measure(String what) throws IOException {
        store.publishStats();
        StoreStats before = store.stats();
        long[] nanos = new long[OPERATIONS];
        long start = System.nanoTime();
        for (int i = 0; i < OPERATIONS; i++) {
            long key = random.nextInt(KEYS);
            long began = System.nanoTime();
            store.recordBoundary();
            Long value = table.get(key, 0);
            table.put(key, 0, value + 1);
            nanos[i] = System.nanoTime() - began;
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        store.publishStats();
        StoreStats after = store.stats();
        Arrays.sort(nanos);
        System.out.printf(
                "%-12s p50 %6.1f us, p99 %7.1f us, p99.9 %8.1f us, most %8.1f us; %d flushes, %d merges, read and merged %.0f MiB/s, runs %d, stalls %d%n",
                what,
                nanos[OPERATIONS / 2] / 1e3,
                nanos[(int) (OPERATIONS * 0.99)] / 1e3,
                nanos[(int) (OPERATIONS * 0.999)] / 1e3,
                nanos[OPERATIONS - 1] / 1e3,
                after.flushes() - before.flushes(),
                after.compactions() - before.compactions(),
                (after.compactedBytes()
                                - before.compactedBytes()
                                + after.compactionReadBytes()
                                - before.compactionReadBytes())
                        / seconds
                        / (1 << 20),
                after.runs(),
                after.stalls() - before.stalls());
    }
}
