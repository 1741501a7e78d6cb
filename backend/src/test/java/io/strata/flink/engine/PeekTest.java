/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.engine.StoreUnderTest.Regime;
import io.strata.flink.format.segment.KeyGroupSpan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads by a thread that does not own the store. */
class PeekTest {

    private static final int LOADS = 20_000;

    /** An entry that is being linked showed no value yet, and the query took it for absent. */
    @Test
    void aValueThatMovesBetweenTheTiersIsAlwaysSeen(@TempDir Path root) throws Exception {
        ExecutorService executor =
                Executors.newFixedThreadPool(2, task -> new Thread(task, "peek-test"));
        try {
            StoreUnderTest store =
                    new StoreUnderTest(
                            root.resolve("store"),
                            new KeyGroupSpan(0, TestCodecs.KEY_GROUPS - 1),
                            new Regime(1 << 20, 1 << 16, StoreTuning.standard()),
                            executor,
                            List.of());
            store.values.put(1L, 0, new long[] {7});
            store.store.flushAll();
            AtomicBoolean moving = new AtomicBoolean(true);
            CompletableFuture<Void> query =
                    CompletableFuture.runAsync(() -> query(store, moving), executor);
            for (int i = 0; i < LOADS && !query.isDone(); i++) {
                store.store.evict(Long.MAX_VALUE);
                assertThat(store.values.get(1L, 0)).containsExactly(7);
            }
            moving.set(false);
            query.get();
            store.close();
        } finally {
            executor.shutdownNow();
        }
    }

    private static void query(StoreUnderTest store, AtomicBoolean moving) {
        TestCodecs.Keys keys = new TestCodecs.Keys();
        TestCodecs.Cells cells = new TestCodecs.Cells();
        while (moving.get()) {
            try {
                assertThat(store.values.peek(1L, 0, keys, cells)).containsExactly(7);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
