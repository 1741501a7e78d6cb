/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.checkpoint.transfer.RestoreStats;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What changes of parallelism cost: no record is rewritten, and hardly a byte is read that the task
 * does not own. The costs of each are printed.
 */
class RescaleCostTest {

    private static final int KEY_GROUPS = 128;
    private static final int KEYS = 20_000;
    private static final int VALUE_BYTES = 1_000;
    private static final double MAX_READ_PER_OWNED = 1.1;

    @TempDir Path local;
    @TempDir Path remote;

    private final Random random = new Random(9);
    private final byte[] versions = new byte[KEYS];

    @Test
    void readsWhatItOwnsAndRewritesNothing() throws Exception {
        StrataStateBackend backend =
                new StrataStateBackend().set(StrataOptions.HOT_SIZE, MemorySize.parse("8mb"));
        TestCheckpoints checkpoints = new TestCheckpoints(remote);
        try (TestTasks starter = new TestTasks(backend, local).withKeyGroups(KEY_GROUPS)) {
            List<KeyedStateHandle> handles = List.of();
            long id = 1;
            for (int parallelism : new int[] {1, 2, 5, 3, 1}) {
                List<TestTasks.Task> tasks = new ArrayList<>();
                for (int i = 0; i < parallelism; i++) {
                    tasks.add(starter.start(i, parallelism, handles));
                    if (!handles.isEmpty()) {
                        assertCheap(tasks.get(i).backend().restoreStats(), i, parallelism);
                    }
                }
                assertSome(tasks);
                update(tasks, handles.isEmpty() ? KEYS : KEYS / 10);
                handles = checkpoint(checkpoints, tasks, id++);
                update(tasks, KEYS / 50);
                handles = checkpoint(checkpoints, tasks, id++);
                tasks.forEach(TestTasks.Task::end);
            }
        }
    }

    private static void assertCheap(RestoreStats stats, int index, int parallelism) {
        double ratio = (double) stats.bytesRead() / stats.bytesOwned();
        System.out.printf("%d/%d: %s, read per owned %.3f%n", index, parallelism, stats, ratio);
        assertThat(stats.recordsRewritten()).isZero();
        assertThat(stats.segmentsOpened()).isPositive();
        assertThat(stats.bytesOwned()).isGreaterThan(KEYS * VALUE_BYTES / parallelism / 2);
        assertThat(ratio).as("read per owned").isBetween(1.0, MAX_READ_PER_OWNED);
    }

    private static List<KeyedStateHandle> checkpoint(
            TestCheckpoints checkpoints, List<TestTasks.Task> tasks, long id) throws Exception {
        List<KeyedStateHandle> handles = new ArrayList<>();
        for (TestTasks.Task task : tasks) {
            RunnableFuture<SnapshotResult<KeyedStateHandle>> running =
                    checkpoints.begin(task, id, TestCheckpoints.CHECKPOINT);
            handles.add(TestCheckpoints.finish(running));
        }
        checkpoints.complete(id, handles);
        for (TestTasks.Task task : tasks) {
            task.backend().notifyCheckpointComplete(id);
        }
        return handles;
    }

    private void update(List<TestTasks.Task> tasks, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            int key = count == KEYS ? i : random.nextInt(KEYS);
            byte[] value = new byte[VALUE_BYTES];
            random.nextBytes(value);
            versions[key] = value[0];
            select(tasks, key).update(value);
        }
    }

    private void assertSome(List<TestTasks.Task> tasks) throws Exception {
        for (int key = 0; key < KEYS; key += 37) {
            byte[] value = select(tasks, key).value();
            if (versions[key] != 0) {
                assertThat(value[0]).as("key %d", key).isEqualTo(versions[key]);
            }
        }
    }

    private static ValueState<byte[]> select(List<TestTasks.Task> tasks, int key) throws Exception {
        int index =
                KeyGroupRangeAssignment.assignKeyToParallelOperator(key, KEY_GROUPS, tasks.size());
        StrataKeyedStateBackend<Integer> backend = tasks.get(index).backend();
        backend.setCurrentKey(key);
        return backend.getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new ValueStateDescriptor<>("value", BytePrimitiveArraySerializer.INSTANCE));
    }
}
