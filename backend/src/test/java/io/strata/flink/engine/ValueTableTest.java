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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the table of single values by name. */
class ValueTableTest {
    private static final Regime REGIME = new Regime(1 << 20, 1 << 16, StoreTuning.standard());

    /**
     * The model test found (seed 227): a key was read as absent, removed once more, written and
     * flushed; when it was then written and removed again, the flushed value came back, since the
     * table still believed that nothing of the key lay below.
     */
    @Test
    void aReadAsAbsentIsForgottenOnceTheKeyWasWritten(@TempDir Path root) throws Exception {
        ExecutorService executor =
                Executors.newSingleThreadExecutor(task -> new Thread(task, "value-table-test"));
        try {
            StoreUnderTest tested =
                    new StoreUnderTest(
                            root,
                            new KeyGroupSpan(0, TestCodecs.KEY_GROUPS - 1),
                            REGIME,
                            executor,
                            List.of());
            Long key = 1234L;
            Integer namespace = 5678;
            tested.values.put(key, namespace, new long[] {1});
            flushAndEvict(tested);
            tested.values.remove(key, namespace);
            flushAndEvict(tested);

            assertThat(tested.values.get(key, namespace)).isNull();
            tested.values.remove(key, namespace);
            tested.values.put(key, namespace, new long[] {2});
            flushAndEvict(tested);
            tested.values.put(key, namespace, new long[] {3});
            tested.values.remove(key, namespace);

            assertThat(tested.values.get(key, namespace)).isNull();
            tested.store.close();
        } finally {
            executor.shutdownNow();
        }
    }

    private static void flushAndEvict(StoreUnderTest tested) throws Exception {
        tested.store.flushAll();
        tested.store.evict(Long.MAX_VALUE);
    }
}
