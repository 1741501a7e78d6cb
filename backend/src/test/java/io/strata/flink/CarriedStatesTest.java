/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SavepointResources;
import org.apache.flink.runtime.state.SavepointSnapshotStrategy;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.SnapshotStrategyRunner;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.runtime.testutils.statemigration.TestType;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** States that a job no longer has: carried along, listed, found again, or dropped. */
class CarriedStatesTest {

    private static final int KEYS = 50;

    @TempDir Path local;
    @TempDir Path remote;

    private TestTasks tasks;
    private TestCheckpoints checkpoints;
    private long checkpointId;

    @BeforeEach
    void setUp() {
        tasks = new TestTasks(new StrataStateBackend(), local);
        checkpoints = new TestCheckpoints(remote);
    }

    @AfterEach
    void leavesNothing() {
        tasks.close();
        assertThat(local).isEmptyDirectory();
    }

    @Test
    void aStateThatNobodyRegistersComesBackWhateverHappensToOthers() throws Exception {
        KeyedStateHandle both = checkpointOfTwoStates();

        // the other state changes its type, and is written again, while "old" is only carried
        TestTasks.Task second = tasks.start(both);
        for (int key = 0; key < KEYS; key++) {
            at(second, key, "kept", new TestType.V2TestTypeSerializer())
                    .update(new TestType("new" + key, key));
        }
        KeyedStateHandle changed = take(second);
        TestTasks.Task third = tasks.start(changed);
        KeyedStateHandle carried = take(third);

        TestTasks.Task fourth = tasks.start(carried);
        for (int key = 0; key < KEYS; key++) {
            assertThat(at(fourth, key, "old", StringSerializer.INSTANCE).value())
                    .isEqualTo("old" + key);
            assertThat(at(fourth, key, "kept", new TestType.V2TestTypeSerializer()).value())
                    .isEqualTo(new TestType("new" + key, key));
        }
        fourth.end();
    }

    @Test
    void listsWhatIsCarried() throws Exception {
        KeyedStateHandle both = checkpointOfTwoStates();
        TestTasks.Task restored = tasks.start(both);
        at(restored, 1, "kept", new TestType.V1TestTypeSerializer());

        assertThat(restored.backend().carriedStates())
                .contains("'old' (" + KEYS + " records, ")
                .contains("state.backend.strata.drop-states")
                .doesNotContain("'kept'");

        at(restored, 1, "old", StringSerializer.INSTANCE);
        assertThat(restored.backend().carriedStates()).isEmpty();
        restored.end();
    }

    @Test
    void dropsTheStatesThatTheOptionNames() throws Exception {
        KeyedStateHandle both = checkpointOfTwoStates();
        TestTasks.Task dropping = dropping("old, never-was").start(both);
        for (int key = 0; key < KEYS; key++) {
            assertThat(at(dropping, key, "kept", new TestType.V1TestTypeSerializer()).value())
                    .isEqualTo(new TestType("kept" + key, key));
        }
        assertThat(dropping.backend().carriedStates()).isEmpty();
        assertThat(dropping.backend().stats().coldRecords()).isEqualTo(KEYS);
        KeyedStateHandle rest = take(dropping);

        tasks.close();
        tasks = new TestTasks(new StrataStateBackend(), local);
        TestTasks.Task later = tasks.start(rest);
        assertThat(at(later, 1, "old", StringSerializer.INSTANCE).value()).isNull();
        later.end();
    }

    @Test
    void dropsThemFromASavepointToo() throws Exception {
        TestTasks.Task first = tasks.start(checkpointOfTwoStates());
        KeyedStateHandle savepoint = savepoint(first);

        TestTasks.Task dropping = dropping("old").start(savepoint);
        assertThat(at(dropping, 2, "kept", new TestType.V1TestTypeSerializer()).value())
                .isEqualTo(new TestType("kept2", 2));
        assertThat(dropping.backend().carriedStates()).isEmpty();
        assertThat(dropping.backend().stats().coldRecords()).isEqualTo(KEYS);
        dropping.end();
    }

    private static KeyedStateHandle savepoint(TestTasks.Task task) throws Exception {
        SavepointResources<Integer> resources = task.backend().savepoint();
        RunnableFuture<SnapshotResult<KeyedStateHandle>> savepoint =
                new SnapshotStrategyRunner<>(
                                "savepoint",
                                new SavepointSnapshotStrategy<>(resources.getSnapshotResources()),
                                new CloseableRegistry(),
                                resources.getPreferredSnapshotExecutionType())
                        .snapshot(
                                1,
                                0,
                                new MemCheckpointStreamFactory(1 << 20),
                                new CheckpointOptions(
                                        SavepointType.savepoint(SavepointFormatType.CANONICAL),
                                        CheckpointStorageLocationReference.getDefault()));
        savepoint.run();
        task.end();
        return InstantiationUtil.clone(savepoint.get().getJobManagerOwnedSnapshot());
    }

    @Test
    void refusesToDropAStateThatTheJobHas() throws Exception {
        KeyedStateHandle both = checkpointOfTwoStates();
        TestTasks.Task dropping = dropping("old").start(both);

        assertThatThrownBy(() -> at(dropping, 1, "old", StringSerializer.INSTANCE))
                .hasMessageContaining("'old'")
                .hasMessageContaining("state.backend.strata.drop-states");
        dropping.end();
    }

    private TestTasks dropping(String names) {
        tasks.close();
        tasks =
                new TestTasks(
                        new StrataStateBackend().set(StrataOptions.DROP_STATES, names), local);
        return tasks;
    }

    private KeyedStateHandle checkpointOfTwoStates() throws Exception {
        TestTasks.Task task = tasks.start();
        for (int key = 0; key < KEYS; key++) {
            at(task, key, "old", StringSerializer.INSTANCE).update("old" + key);
            at(task, key, "kept", new TestType.V1TestTypeSerializer())
                    .update(new TestType("kept" + key, key));
        }
        return take(task);
    }

    private KeyedStateHandle take(TestTasks.Task task) throws Exception {
        KeyedStateHandle handle =
                checkpoints.take(task, ++checkpointId, TestCheckpoints.NATIVE_SAVEPOINT);
        task.end();
        return handle;
    }

    private static <T> ValueState<T> at(
            TestTasks.Task task, int key, String name, TypeSerializer<T> serializer)
            throws Exception {
        task.backend().setCurrentKey(key);
        return task.backend()
                .getPartitionedState(
                        VoidNamespace.INSTANCE,
                        VoidNamespaceSerializer.INSTANCE,
                        new ValueStateDescriptor<>(name, serializer));
    }
}
