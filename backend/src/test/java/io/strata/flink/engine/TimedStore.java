/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.hot.HeapBudget;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.pagecache.PageMemory;
import io.strata.flink.pagecache.SlabAllocator;
import io.strata.flink.segment.SegmentOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A store with one table whose values expire by a simulated clock. */
final class TimedStore implements AutoCloseable {

    static final int FILLING_BYTES = 90;

    private final ExecutorService executor =
            Executors.newSingleThreadExecutor(task -> new Thread(task, "strata-test-background"));
    private final LocalStorageDirectory directory;
    private final PageMemory memory = new PageMemory(1 << 20, SlabAllocator.directBuffers());
    final TieredStore store;
    final ValueTable<Long, Integer, Long> table;

    TimedStore(Path root, TimedCells.Lifetime lifetime) throws IOException {
        this(root, lifetime, FILLING_BYTES, StoreTuning.standard());
    }

    TimedStore(Path root, TimedCells.Lifetime lifetime, int fillingBytes, StoreTuning tuning)
            throws IOException {
        directory = LocalStorageDirectory.create(root);
        store =
                new TieredStore(
                        new StoreConfig(
                                directory,
                                memory.newCache(4096),
                                new HeapBudget(1 << 26).lease(),
                                executor,
                                executor,
                                new SegmentOptions(4096, 10),
                                new KeyGroupSpan(0, TestCodecs.KEY_GROUPS - 1),
                                tuning));
        table =
                store.valueTable(
                        "dedupe", new TestCodecs.Keys(), new TimedCells(lifetime, fillingBytes));
    }

    /** Flushes what is dirty, does all that is due, and evicts. */
    void settle() throws IOException {
        store.flushAndEvictAll();
        store.awaitCompactions();
        store.recordBoundary();
        store.publishStats();
    }

    RunSet runs() {
        return table.runs.current();
    }

    long diskBytes() throws IOException {
        long bytes = 0;
        for (String file : directory.list()) {
            bytes += Files.size(directory.path(file));
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        store.close();
        executor.shutdown();
        memory.close();
        directory.close();
    }
}
