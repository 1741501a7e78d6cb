/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SharedStateRegistryImpl;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A checkpoint taken over by another job, and checkpoints in the job manager's memory. */
class ClaimModesTest {

    private static final int KEYS = 100;

    @TempDir Path local;
    @TempDir Path oldJob;
    @TempDir Path newJob;

    private TestTasks tasks;

    @BeforeEach
    void setUp() {
        tasks = new TestTasks(new StrataStateBackend(), local);
    }

    @AfterEach
    void leavesNothing() {
        tasks.close();
        assertThat(local).isEmptyDirectory();
    }

    @Test
    void withoutAClaimTheFirstCheckpointNeedsNothingOld() throws Exception {
        TestTasks.Task old = tasks.start();
        write(old, 1, 10);
        KeyedStateHandle taken =
                new TestCheckpoints(oldJob).take(old, 1, TestCheckpoints.CHECKPOINT);
        old.end();
        TestTasks.Task task = tasks.start(taken);
        TestCheckpoints checkpoints = new TestCheckpoints(newJob);
        checkpoints.take(task, 2, TestCheckpoints.FULL_CHECKPOINT);
        for (Path file : TestCheckpoints.files(oldJob)) {
            Files.delete(file);
        }

        IncrementalRemoteKeyedStateHandle next =
                TestCheckpoints.finish(checkpoints.begin(task, 3, TestCheckpoints.CHECKPOINT));

        assertThat(TestCheckpoints.references(next)).isPositive();
        checkpoints.complete(3, List.of(next));
        task.end();
        assertAll(tasks.start(next), 1);
    }

    @Test
    void keepsCheckpointsInTheMemoryOfTheJobManager() throws Exception {
        SharedStateRegistryImpl registry = new SharedStateRegistryImpl();
        TestTasks.Task task = tasks.start();
        IncrementalRemoteKeyedStateHandle handle = null;
        for (int id = 1; id <= 3; id++) {
            write(task, id, 10);
            handle = TestCheckpoints.finish(inMemory(task, id));
            handle.registerSharedStates(registry, id);
            task.backend().notifyCheckpointComplete(id);
        }
        task.end();

        assertThat(handle.getSharedState())
                .allMatch(file -> file.getHandle() instanceof ByteStreamStateHandle);
        assertAll(tasks.start(handle), 3);
    }

    @Test
    void tooMuchForTheMemoryOfTheJobManagerFailsTheCheckpointOnly() throws Exception {
        TestTasks.Task task = tasks.start();
        write(task, 1, 1_000);

        RunnableFuture<SnapshotResult<KeyedStateHandle>> tooLarge = inMemory(task, 1);
        tooLarge.run();

        assertThatThrownBy(tooLarge::get)
                .rootCause()
                .hasMessageContaining("larger than the maximum permitted memory-backed state");
        assertAll(task, 1);
        task.end();
    }

    private static RunnableFuture<SnapshotResult<KeyedStateHandle>> inMemory(
            TestTasks.Task task, long id) throws Exception {
        return task.backend()
                .snapshot(
                        id,
                        0,
                        new MemCheckpointStreamFactory(50_000),
                        CheckpointOptions.forCheckpointWithDefaultLocation());
    }

    private static void write(TestTasks.Task task, int value, int bytes) throws Exception {
        for (int key = 0; key < KEYS; key++) {
            byte[] content = new byte[bytes];
            new Random(key).nextBytes(content); // cannot be compressed
            content[0] = (byte) value;
            select(task, key).update(content);
        }
    }

    private static void assertAll(TestTasks.Task task, int value) throws Exception {
        for (int key = 0; key < KEYS; key++) {
            assertThat(select(task, key).value()[0]).isEqualTo((byte) value);
        }
    }

    private static ValueState<byte[]> select(TestTasks.Task task, int key) throws Exception {
        task.backend().setCurrentKey(key);
        return task.backend()
                .getPartitionedState(
                        VoidNamespace.INSTANCE,
                        VoidNamespaceSerializer.INSTANCE,
                        new ValueStateDescriptor<>("value", BytePrimitiveArraySerializer.INSTANCE));
    }
}
