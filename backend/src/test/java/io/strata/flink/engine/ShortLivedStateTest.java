/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.engine.StoreUnderTest.Regime;
import io.strata.flink.format.segment.KeyGroupSpan;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is created and cleared within one epoch never reaches the disk. */
class ShortLivedStateTest {

    private static final int KEYS = 20_000;

    private final ExecutorService executor =
            Executors.newSingleThreadExecutor(task -> new Thread(task, "short-lived-state-test"));
    private StoreUnderTest tested;

    @BeforeEach
    void open(@TempDir Path root) throws Exception {
        // all that the keys hold together is more than this heap
        Regime regime = new Regime(1 << 20, 1 << 16, StoreTuning.standard());
        KeyGroupSpan keyGroups = new KeyGroupSpan(0, TestCodecs.KEY_GROUPS - 1);
        tested = new StoreUnderTest(root, keyGroups, regime, executor, List.of());
    }

    @AfterEach
    void close() {
        tested.store.close();
        executor.shutdownNow();
    }

    @Test
    void nothingOfItIsWritten() throws Exception {
        createAndClearAll();
        tested.store.flushAll();
        StoreStats stats = stats();
        assertThat(stats.flushes()).isZero();
        assertThat(stats.coldRecords()).isZero();
        assertThat(stats.hotEntries()).isZero();
    }

    /** The filters know that the keys are new, but for one in a hundred. */
    @Test
    void norWhereOtherKeysWere() throws Exception {
        for (long key = -1; key > -2000; key--) {
            create(key);
        }
        tested.store.flushAndEvictAll();
        tested.store.awaitCompactions();
        long before = stats().coldRecords();
        createAndClearAll();
        tested.store.flushAll();
        assertThat(before).isEqualTo(3 * 1999);
        assertThat(stats().coldRecords() - before).isLessThan(3 * KEYS / 30);
        assertThat(tested.values.get(-1L, 7)).containsExactly(-1);
        StoreInvariants.check(tested.store);
    }

    private void createAndClearAll() throws Exception {
        for (long key = 0; key < KEYS; key++) {
            create(key);
            tested.store.recordBoundary();
            if (key >= 10) {
                clear(key - 10);
                tested.store.recordBoundary();
            }
        }
        for (long key = KEYS - 10; key < KEYS; key++) {
            clear(key);
        }
    }

    private void create(long key) throws Exception {
        tested.values.put(key, 7, new long[] {key});
        tested.lists.add(key, 7, key);
        tested.maps.put(key, 7, 1, new long[] {key});
    }

    private void clear(long key) throws Exception {
        tested.values.remove(key, 7);
        tested.lists.remove(key, 7);
        tested.maps.remove(key, 7);
    }

    private StoreStats stats() {
        tested.store.publishStats();
        return tested.store.stats();
    }
}
