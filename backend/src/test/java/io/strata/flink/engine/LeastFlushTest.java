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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However small the share of the heap budget, flushes are not so small that files are all work. */
class LeastFlushTest {

    private static final ExecutorService EXECUTOR =
            Executors.newFixedThreadPool(2, task -> new Thread(task, "least-flush-test"));

    /** What one of 15 backends gets of 128 kb. */
    private static final long TINY_LEASE = (128 << 10) / 15;

    @TempDir Path root;

    @AfterAll
    static void stop() {
        EXECUTOR.shutdownNow();
    }

    @Test
    void aTinyLeaseCountsAsTheLeast() throws Exception {
        StoreStats bounded = play(StoreTuning.standard());
        StoreStats literal = play(new StoreTuning(0, false, false, 32));
        assertThat(literal.flushes()).isGreaterThan(4 * bounded.flushes());
        assertThat(bounded.flushes()).isPositive();
        assertThat(bounded.hotBytes())
                .isBetween(TINY_LEASE, StoreTuning.standard().leastHotBytes());
    }

    private StoreStats play(StoreTuning tuning) throws Exception {
        StoreUnderTest tested =
                new StoreUnderTest(
                        root.resolve("flushes" + tuning.leastHotBytes()),
                        new KeyGroupSpan(0, TestCodecs.KEY_GROUPS - 1),
                        new Regime(TINY_LEASE, 1 << 16, tuning),
                        EXECUTOR,
                        List.of());
        for (long i = 0; i < 10_000; i++) {
            tested.store.recordBoundary();
            tested.values.put(i * 7_919 % 5_000, 0, new long[] {i});
        }
        tested.store.recordBoundary();
        tested.store.publishStats();
        StoreStats stats = tested.store.stats();
        tested.close();
        return stats;
    }
}
