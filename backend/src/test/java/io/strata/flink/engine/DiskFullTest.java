/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.strata.flink.engine.StoreModel.Pair;
import io.strata.flink.engine.StoreUnderTest.Handle;
import io.strata.flink.engine.StoreUnderTest.Regime;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.io.DiskFullException;
import io.strata.flink.io.Fault;
import io.strata.flink.io.Fault.Kind;
import io.strata.flink.io.Fault.Operation;
import io.strata.flink.io.FaultInjectingDirectory;
import io.strata.flink.io.LocalStorageDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A disk that is full: the task fails with the directory and what is free, no file stays, and from
 * the last snapshot everything goes on when there is space again.
 */
class DiskFullTest {

    private static final ExecutorService EXECUTOR =
            Executors.newFixedThreadPool(2, task -> new Thread(task, "disk-full-test"));
    private static final KeyGroupSpan ALL = new KeyGroupSpan(0, TestCodecs.KEY_GROUPS - 1);
    private static final Regime REGIME =
            new Regime(1 << 20, 1 << 18, new StoreTuning(20, true, false, 8));
    private static final int KEYS = 150;

    @TempDir Path root;

    @AfterAll
    static void stop() {
        EXECUTOR.shutdownNow();
    }

    /** The disk fills in the middle of a flush or of a merge, or when a file is made. */
    @ParameterizedTest
    @CsvSource({"WRITE, 0", "WRITE, 1", "WRITE, 5", "WRITE, 23", "CREATE, 0", "CREATE, 3"})
    void theStoreGoesOnFromItsLastSnapshot(Operation operation, int point) throws Exception {
        StoreModel model = new StoreModel();
        FaultInjectingDirectory disk = disk("before");
        StoreUnderTest store = new StoreUnderTest(disk, ALL, REGIME, EXECUTOR, List.of());
        play(store, model, 0, 500);
        Handle handle = store.persist(store.store.snapshot(), root.resolve("checkpoint"));

        disk.inject(new Fault(Kind.FILL, operation, name -> true, point, Integer.MAX_VALUE));
        StoreModel lost = new StoreModel();
        Throwable failure = catchThrowable(() -> play(store, lost, 500, 5_000));
        DiskFullException cause = causeOf(failure);
        assertThat(failure).hasMessageContaining(disk.path("x").getParent().toString());
        assertThat(cause.directory()).isEqualTo(disk.path("x").getParent());
        assertThat(cause.freeBytes()).isPositive();
        store.store.close();
        disk.requireNoOpenHandles();
        assertThat(disk.list()).isEmpty();
        disk.close();

        StoreUnderTest again =
                new StoreUnderTest(disk("after"), ALL, REGIME, EXECUTOR, List.of(handle));
        play(again, model, 500, 1_500);
        again.check(model);
        again.close();
    }

    private FaultInjectingDirectory disk(String name) throws IOException {
        return new FaultInjectingDirectory(LocalStorageDirectory.create(root.resolve(name)));
    }

    private static void play(StoreUnderTest store, StoreModel model, int from, int to)
            throws IOException {
        for (int i = from; i < to; i++) {
            store.store.recordBoundary();
            long key = i * 31L % KEYS;
            Pair pair = new Pair(key, 0);
            store.values.put(key, 0, new long[] {i});
            model.values.put(pair, (long) i);
            if (i % 3 == 0) {
                store.lists.add(key, 0, (long) i);
                model.lists.computeIfAbsent(pair, p -> new ArrayList<>()).add((long) i);
            }
        }
    }

    private static DiskFullException causeOf(Throwable failure) {
        for (Throwable next = failure; next != null; next = next.getCause()) {
            if (next instanceof DiskFullException full) {
                return full;
            }
        }
        throw new AssertionError("no full disk among the causes", failure);
    }
}
