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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A store with any number of value states and a list state, for long series of small flushes. */
final class SoakStore implements AutoCloseable {

    private final ExecutorService executor =
            Executors.newFixedThreadPool(2, task -> new Thread(task, "strata-test-soak"));
    private final LocalStorageDirectory directory;
    private final PageMemory memory = new PageMemory(1 << 20, SlabAllocator.directBuffers());
    final TieredStore store;
    final List<ValueTable<Long, Integer, Long>> tables = new ArrayList<>();
    final ListTable<Long, Integer, Long> lists;

    SoakStore(Path root, int states) throws IOException {
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
                                StoreTuning.standard()));
        for (int i = 0; i < states; i++) {
            tables.add(
                    store.valueTable("state-" + i, new TestCodecs.Keys(), new FilledNumbers(100)));
        }
        lists = store.listTable("lists", new TestCodecs.Keys(), new TestCodecs.Elements());
    }

    /** Flushes what is dirty and evicts; merges go on. */
    void flush() throws IOException {
        store.flushAndEvictAll();
        store.publishStats();
    }

    /** Waits for all that is due. */
    void settle() throws IOException {
        store.awaitCompactions();
        store.recordBoundary();
        store.publishStats();
    }

    int files() throws IOException {
        return directory.list().size();
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
