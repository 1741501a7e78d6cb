/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.evolution;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.CheckpointType;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.checkpoint.SnapshotType;
import org.apache.flink.runtime.checkpoint.StateAssignmentOperation;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.runtime.query.KvStateRegistry;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateBackendParametersImpl;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SavepointResources;
import org.apache.flink.runtime.state.SavepointSnapshotStrategy;
import org.apache.flink.runtime.state.SharedStateRegistry;
import org.apache.flink.runtime.state.SharedStateRegistryImpl;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.SnapshotStrategyRunner;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.runtime.state.ttl.MockTtlTimeProvider;
import org.apache.flink.util.InstantiationUtil;
import org.apache.flink.util.TemporaryClassLoaderContext;

/**
 * A keyed operator with integer keys on any backend, that is stopped and started again as another
 * version of itself, and at another parallelism. Its checkpoints stay in memory.
 */
final class EvolvingJob implements AutoCloseable {

    static final int KEY_GROUPS = 12;

    private static final long MANAGED_BYTES = 4 << 20;
    private static final int MAX_FILE_BYTES = 64 << 20;

    private final SharedStateRegistry registry = new SharedStateRegistryImpl();
    private final List<Task> tasks = new ArrayList<>();
    private final MockTtlTimeProvider clock = new MockTtlTimeProvider();
    private ClassLoader classLoader = EvolvingJob.class.getClassLoader();
    private long checkpointId;

    private record Task(AbstractKeyedStateBackend<Integer> backend, MockEnvironment environment) {}

    /** The clock of times to live. */
    MockTtlTimeProvider clock() {
        return clock;
    }

    /** Lets the next start have the classes of another version of the job. */
    EvolvingJob with(ClassLoader classes) {
        classLoader = classes;
        return this;
    }

    /** Stops the job if it runs, and starts it from handles. */
    EvolvingJob start(StateBackend stateBackend, int parallelism, List<KeyedStateHandle> restored)
            throws Exception {
        stop();
        try (TemporaryClassLoaderContext ignored = TemporaryClassLoaderContext.of(classLoader)) {
            for (int i = 0; i < parallelism; i++) {
                tasks.add(startTask(stateBackend, i, parallelism, restored));
            }
        }
        return this;
    }

    private Task startTask(
            StateBackend stateBackend, int index, int parallelism, List<KeyedStateHandle> restored)
            throws Exception {
        KeyGroupRange owned =
                KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
                        KEY_GROUPS, parallelism, index);
        List<KeyedStateHandle> own = new ArrayList<>();
        StateAssignmentOperation.extractIntersectingState(restored, owned, own);
        MockEnvironment environment =
                new MockEnvironmentBuilder()
                        .setTaskName("evolving")
                        .setManagedMemorySize(MANAGED_BYTES)
                        .setUserCodeClassLoader(classLoader)
                        .build();
        try (CloseableRegistry restore = new CloseableRegistry()) {
            return new Task(
                    (AbstractKeyedStateBackend<Integer>)
                            stateBackend.createKeyedStateBackend(
                                    new KeyedStateBackendParametersImpl<>(
                                            environment,
                                            new JobID(),
                                            "evolving-" + index,
                                            IntSerializer.INSTANCE,
                                            KEY_GROUPS,
                                            owned,
                                            new KvStateRegistry()
                                                    .createTaskRegistry(
                                                            environment.getJobID(),
                                                            environment.getJobVertexId()),
                                            clock,
                                            new UnregisteredMetricsGroup(),
                                            (name, value) -> {},
                                            own,
                                            restore,
                                            1.0)),
                    environment);
        } catch (Exception e) {
            environment.close();
            throw e;
        }
    }

    /** Registers a state in all tasks, as the beginning of a job does. */
    EvolvingJob register(StateDescriptor<?, ?> descriptor) throws Exception {
        for (Task task : tasks) {
            state(task, descriptor);
        }
        return this;
    }

    /** Returns a state, set to a key. */
    <S extends State> S at(int key, StateDescriptor<S, ?> descriptor) throws Exception {
        Task task =
                tasks.get(
                        KeyGroupRangeAssignment.assignKeyToParallelOperator(
                                key, KEY_GROUPS, tasks.size()));
        S state = state(task, descriptor);
        task.backend().setCurrentKey(key);
        return state;
    }

    @SuppressWarnings("unchecked")
    private <S extends State> S state(Task task, StateDescriptor<S, ?> descriptor)
            throws Exception {
        try (TemporaryClassLoaderContext ignored = TemporaryClassLoaderContext.of(classLoader)) {
            return task.backend()
                    .getPartitionedState(
                            VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
        }
    }

    /** Returns the backend of the only task. */
    AbstractKeyedStateBackend<Integer> backend() {
        return tasks.get(0).backend();
    }

    /** Takes a checkpoint in the backend's own form. */
    List<KeyedStateHandle> checkpoint() throws Exception {
        long id = ++checkpointId;
        List<KeyedStateHandle> handles = new ArrayList<>();
        for (Task task : tasks) {
            CheckpointStreamFactory streams = new MemCheckpointStreamFactory(MAX_FILE_BYTES);
            RunnableFuture<SnapshotResult<KeyedStateHandle>> part =
                    task.backend().snapshot(id, 0, streams, options(CheckpointType.CHECKPOINT));
            part.run();
            KeyedStateHandle handle = part.get().getJobManagerOwnedSnapshot();
            if (handle != null) {
                KeyedStateHandle received = InstantiationUtil.clone(handle);
                received.registerSharedStates(registry, id);
                handles.add(received);
            }
        }
        for (Task task : tasks) {
            task.backend().notifyCheckpointComplete(id);
        }
        return handles;
    }

    /** Takes a canonical savepoint. */
    List<KeyedStateHandle> savepoint() throws Exception {
        List<KeyedStateHandle> handles = new ArrayList<>();
        for (Task task : tasks) {
            SavepointResources<Integer> savepoint = task.backend().savepoint();
            RunnableFuture<SnapshotResult<KeyedStateHandle>> part =
                    new SnapshotStrategyRunner<>(
                                    "savepoint",
                                    new SavepointSnapshotStrategy<>(
                                            savepoint.getSnapshotResources()),
                                    new CloseableRegistry(),
                                    savepoint.getPreferredSnapshotExecutionType())
                            .snapshot(
                                    1,
                                    0,
                                    new MemCheckpointStreamFactory(MAX_FILE_BYTES),
                                    options(
                                            SavepointType.savepoint(
                                                    SavepointFormatType.CANONICAL)));
            part.run();
            KeyedStateHandle handle = part.get().getJobManagerOwnedSnapshot();
            if (handle != null) {
                handles.add(InstantiationUtil.clone(handle));
            }
        }
        return handles;
    }

    private static CheckpointOptions options(SnapshotType type) {
        return new CheckpointOptions(type, CheckpointStorageLocationReference.getDefault());
    }

    /** Stops all tasks. */
    void stop() throws Exception {
        for (Task task : tasks) {
            task.backend().dispose();
            task.environment().close();
        }
        tasks.clear();
    }

    @Override
    public void close() throws Exception {
        stop();
    }
}
