/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.runtime.query.KvStateRegistry;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateBackendParametersImpl;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.TestTaskStateManager;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;

/** Builds keyed backends as tasks do, each with an environment of its own. */
final class TestTasks implements AutoCloseable {

    static final int KEY_GROUPS = 16;

    private static final long MANAGED_BYTES = 1 << 20;

    private final StrataStateBackend backend;
    private final List<Task> tasks = new ArrayList<>();
    private int keyGroups = KEY_GROUPS;
    private LocalRecoveryConfig localRecovery = LocalRecoveryConfig.BACKUP_AND_RECOVERY_DISABLED;

    /** One backend with the environment whose memory it uses. */
    record Task(StrataKeyedStateBackend<Integer> backend, MockEnvironment environment) {

        /** Ends the task; its environment complains about memory that was not given back. */
        void end() {
            backend.dispose();
            try {
                environment.close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    TestTasks(StrataStateBackend backend, Path localDirectory) {
        this(backend, localDirectory, new Configuration());
    }

    TestTasks(StrataStateBackend backend, Path localDirectory, ReadableConfig config) {
        this.backend =
                backend.set(StrataOptions.LOCAL_DIRECTORIES, localDirectory.toString())
                        .configure(config, TestTasks.class.getClassLoader());
    }

    /** Lets checkpoints of tasks started from now on have task-local copies. */
    TestTasks withLocalRecovery(LocalRecoveryConfig config) {
        localRecovery = config;
        return this;
    }

    /** Lets tasks started from now on belong to a job with another number of key groups. */
    TestTasks withKeyGroups(int number) {
        keyGroups = number;
        return this;
    }

    /** Starts a task that owns all key groups. */
    Task start(KeyedStateHandle... restored) throws Exception {
        return start(0, 1, List.of(restored));
    }

    /** Starts one of several tasks; handles that it shares no key group with are ignored. */
    Task start(int index, int parallelism, Collection<? extends KeyedStateHandle> restored)
            throws Exception {
        return start(index, parallelism, restored, IntSerializer.INSTANCE);
    }

    Task start(
            int index,
            int parallelism,
            Collection<? extends KeyedStateHandle> restored,
            TypeSerializer<Integer> keySerializer)
            throws Exception {
        KeyGroupRange owned =
                KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
                        keyGroups, parallelism, index);
        MockEnvironment environment =
                new MockEnvironmentBuilder()
                        .setTaskName("test")
                        .setManagedMemorySize(MANAGED_BYTES)
                        .setTaskStateManager(new TestTaskStateManager(localRecovery))
                        .build();
        List<KeyedStateHandle> relevant = new ArrayList<>();
        for (KeyedStateHandle handle : restored) {
            if (handle != null && handle.getIntersection(owned) != null) {
                relevant.add(handle.getIntersection(owned));
            }
        }
        // Flink closes this registry when the backend is there: only the restore may use it.
        try (CloseableRegistry restore = new CloseableRegistry()) {
            Task task =
                    new Task(
                            (StrataKeyedStateBackend<Integer>)
                                    backend.createKeyedStateBackend(
                                            new KeyedStateBackendParametersImpl<>(
                                                    environment,
                                                    new JobID(),
                                                    "operator (1/2)",
                                                    keySerializer,
                                                    keyGroups,
                                                    owned,
                                                    new KvStateRegistry()
                                                            .createTaskRegistry(
                                                                    environment.getJobID(),
                                                                    environment.getJobVertexId()),
                                                    TtlTimeProvider.DEFAULT,
                                                    new UnregisteredMetricsGroup(),
                                                    relevant,
                                                    restore)),
                            environment);
            tasks.add(task);
            return task;
        } catch (Exception e) {
            environment.close();
            throw e;
        }
    }

    static KeyGroupRange keyGroups(int index, int parallelism) {
        return KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
                KEY_GROUPS, parallelism, index);
    }

    static int taskOf(int key, int parallelism) {
        return KeyGroupRangeAssignment.assignKeyToParallelOperator(key, KEY_GROUPS, parallelism);
    }

    /** Ends all tasks; those that ended already do not mind. */
    @Override
    public void close() {
        tasks.forEach(task -> task.backend().dispose());
    }
}
