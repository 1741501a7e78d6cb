/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.engine.StoreUnderTest.Handle;
import io.strata.flink.engine.StoreUnderTest.Regime;
import io.strata.flink.format.segment.KeyGroupSpan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random operations on a store and on plain maps, with snapshots and restores to any split of the
 * key groups. {@code -Dstrata.store.seeds=N} runs more seeds, {@code -Dstrata.store.seed=S} one.
 */
class StoreModelTest {

    private static final int OPERATIONS = 3_000;
    private static final int CHECK_EVERY = 5;
    private static final KeyGroupSpan ALL = new KeyGroupSpan(0, TestCodecs.KEY_GROUPS - 1);
    private static final ExecutorService EXECUTOR =
            Executors.newFixedThreadPool(2, task -> new Thread(task, "store-model-test"));

    private static final List<Regime> REGIMES =
            List.of(
                    new Regime(1 << 26, 1 << 20, StoreTuning.standard()),
                    new Regime(1 << 14, 1 << 16, StoreTuning.standard()),
                    new Regime(1 << 16, 0, StoreTuning.standard()),
                    new Regime(1 << 20, 1 << 18, new StoreTuning(7, true, true, 8)),
                    new Regime(1 << 20, 1 << 18, new StoreTuning(50, false, false, 8, 1, 2, 0)));

    @TempDir Path root;
    private int directories;

    @AfterAll
    static void stop() {
        EXECUTOR.shutdownNow();
    }

    static IntStream seeds() {
        Integer one = Integer.getInteger("strata.store.seed");
        return one != null
                ? IntStream.of(one)
                : IntStream.range(0, Integer.getInteger("strata.store.seeds", 20));
    }

    @ParameterizedTest(name = "-Dstrata.store.seed={0}")
    @MethodSource("seeds")
    void behavesLikePlainMaps(int seed) throws Exception {
        Random random = new Random(seed);
        Regime regime = REGIMES.get(seed % REGIMES.size());
        StoreOperations operations = new StoreOperations(random, 1 + random.nextInt(200));
        StoreModel model = new StoreModel();
        List<StoreUnderTest> stores = open(List.of(), regime, 1);
        for (int i = 0; i < OPERATIONS; i++) {
            for (StoreUnderTest store : stores) {
                operations.one(store, model);
                if (i % CHECK_EVERY == 0) {
                    StoreInvariants.check(store.store);
                }
            }
            if (random.nextInt(600) == 0) {
                for (StoreUnderTest store : stores) {
                    store.check(model);
                }
            }
            if (random.nextInt(1000) == 0) {
                StoreModel later = model.copy();
                List<Handle> handles = snapshotAndGoOn(stores, operations, later, random);
                for (StoreUnderTest store : stores) {
                    store.check(later);
                    store.close();
                }
                stores = open(handles, regime, 1 + random.nextInt(3));
            }
        }
        for (StoreUnderTest store : stores) {
            store.check(model);
            store.close();
        }
    }

    private List<Handle> snapshotAndGoOn(
            List<StoreUnderTest> stores,
            StoreOperations operations,
            StoreModel later,
            Random random)
            throws Exception {
        List<StoreSnapshot> snapshots = new ArrayList<>();
        for (StoreUnderTest store : stores) {
            store.store.recordBoundary();
            snapshots.add(store.store.snapshot());
        }
        int more = random.nextInt(200);
        for (int i = 0; i < more; i++) {
            for (StoreUnderTest store : stores) {
                operations.one(store, later);
            }
        }
        List<Handle> handles = new ArrayList<>();
        for (int i = 0; i < stores.size(); i++) {
            handles.add(stores.get(i).persist(snapshots.get(i), newDirectory()));
        }
        return handles;
    }

    private List<StoreUnderTest> open(List<Handle> handles, Regime regime, int parallelism)
            throws Exception {
        List<StoreUnderTest> stores = new ArrayList<>();
        for (int i = 0; i < parallelism; i++) {
            KeyGroupSpan span =
                    new KeyGroupSpan(
                            i * ALL.size() / parallelism, (i + 1) * ALL.size() / parallelism - 1);
            stores.add(new StoreUnderTest(newDirectory(), span, regime, EXECUTOR, handles));
        }
        return stores;
    }

    private Path newDirectory() {
        return root.resolve("d" + directories++);
    }
}
