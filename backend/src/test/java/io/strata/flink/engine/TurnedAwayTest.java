/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.engine.StoreUnderTest.Handle;
import io.strata.flink.engine.StoreUnderTest.Regime;
import io.strata.flink.format.segment.KeyGroupSpan;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** State that is read from the cold tier and not kept, since hardly anything is found hot. */
class TurnedAwayTest {

    private static final int KEYS = 6000;
    private static final int NAMESPACE = 7;

    private final ExecutorService executor =
            Executors.newSingleThreadExecutor(task -> new Thread(task, "turned-away-test"));
    private final SplittableRandom random = new SplittableRandom(11);
    private final Map<Long, Long> truth = new HashMap<>();
    private StoreUnderTest tested;

    @BeforeEach
    void open(@TempDir Path root) throws Exception {
        tested = open(root.resolve("writing"), 1 << 24, List.of());
        for (long key = 0; key < KEYS; key++) {
            put(key, key);
        }
        Handle written = tested.persist(tested.store.snapshot(), root.resolve("written"));
        tested.store.close();
        // not one in 16 of the keys fits, even if one table had it all
        tested = open(root.resolve("reading"), 1 << 14, List.of(written));
    }

    private StoreUnderTest open(Path root, long hotBytes, List<Handle> handles) throws Exception {
        return new StoreUnderTest(
                root,
                new KeyGroupSpan(0, TestCodecs.KEY_GROUPS - 1),
                new Regime(hotBytes, 1 << 20, StoreTuning.standard()),
                executor,
                handles);
    }

    @AfterEach
    void close() {
        tested.store.close();
        executor.shutdownNow();
    }

    @Test
    void readsAtRandomEvictNextToNothing() throws Exception {
        readAtRandom(4000);
        long before = stats().evictedBytes();
        readAtRandom(4000);
        long evicted = stats().evictedBytes() - before;
        // three tables, and a node takes 40 bytes at the least
        assertThat(evicted).isLessThan(3 * 4000 * 40 / 5);
        StoreInvariants.check(tested.store);
    }

    /** Whatever is done with what was not kept, in the same record and later. */
    @Test
    void whatIsNotKeptCanBeChanged() throws Exception {
        readAtRandom(4000);
        for (int i = 0; i < 3000; i++) {
            Long key = (long) random.nextInt(KEYS);
            check(key);
            switch (random.nextInt(4)) {
                case 0 -> {
                    put(key, random.nextLong());
                    if (random.nextBoolean()) {
                        // nothing may be left of it below either
                        tested.store.recordBoundary();
                        remove(key);
                        check(key);
                    }
                }
                case 1 -> {
                    remove(key);
                    check(key);
                }
                default -> check(key);
            }
            tested.store.recordBoundary();
        }
        tested.store.flushAndEvictAll();
        for (long key = 0; key < KEYS; key++) {
            check(key);
        }
        StoreInvariants.check(tested.store);
    }

    @Test
    void withinARecordAValueIsReadOnce() throws Exception {
        readAtRandom(4000);
        long before = stats().coldReads();
        int same = 0;
        for (int i = 0; i < 1000; i++) {
            Long key = (long) random.nextInt(KEYS);
            long[] value = tested.values.get(key, NAMESPACE);
            same += tested.values.get(key, NAMESPACE) == value ? 1 : 0;
            tested.store.recordBoundary();
        }
        // of the few that are kept, some leave at once to make room
        assertThat(same).isGreaterThan(900);
        assertThat(stats().coldReads() - before).isLessThan(1100);
    }

    private void readAtRandom(int times) throws Exception {
        for (int i = 0; i < times; i++) {
            check((long) random.nextInt(KEYS));
            tested.store.recordBoundary();
        }
    }

    private void check(Long key) throws Exception {
        Long number = truth.get(key);
        long[] value = tested.values.get(key, NAMESPACE);
        long[] slot = tested.maps.get(key, NAMESPACE, 1);
        Iterable<Long> list = tested.lists.get(key, NAMESPACE);
        boolean right =
                number == null
                        ? value == null && slot == null && list == null
                        : value[0] == number && slot[0] == number && last(list) == number;
        if (!right) {
            throw new AssertionError("Key " + key + " does not hold " + number);
        }
    }

    private static long last(Iterable<Long> list) {
        long last = 0;
        for (long element : list) {
            last = element;
        }
        return last;
    }

    private void put(long key, long number) throws Exception {
        tested.values.put(key, NAMESPACE, new long[] {number});
        tested.lists.add(key, NAMESPACE, number);
        tested.maps.put(key, NAMESPACE, 1, new long[] {number});
        truth.put(key, number);
    }

    private void remove(long key) throws Exception {
        tested.values.remove(key, NAMESPACE);
        tested.lists.remove(key, NAMESPACE);
        tested.maps.remove(key, NAMESPACE);
        truth.remove(key);
    }

    private StoreStats stats() {
        tested.store.publishStats();
        return tested.store.stats();
    }
}
