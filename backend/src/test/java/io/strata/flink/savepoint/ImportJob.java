/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.StrataOptions;
import io.strata.flink.StrataStateBackend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.RunnableFuture;
import java.util.stream.Stream;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.StateAssignmentOperation;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateBackendParametersImpl;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.runtime.state.storage.JobManagerCheckpointStorage;
import org.apache.flink.runtime.state.ttl.MockTtlTimeProvider;
import org.apache.flink.runtime.util.TestingTaskManagerRuntimeInfo;
import org.apache.flink.streaming.api.operators.StreamOperatorStateHandler;

/** The tasks of one keyed operator, on any backend, one generation after another. */
final class ImportJob<K> implements AutoCloseable {

    private static final long MANAGED_BYTES = 16 << 20;
    private static final int MOST_SNAPSHOT_BYTES = 64 << 20;

    private final TypeSerializer<K> keySerializer;
    private final int keyGroups;
    private final Path directory;
    private final MockEnvironment environment;
    private final MockTtlTimeProvider clock = new MockTtlTimeProvider();
    private final List<AbstractKeyedStateBackend<K>> tasks = new ArrayList<>();

    /**
     * Creates a job without tasks.
     *
     * @param directory an existing one, for local files
     */
    ImportJob(TypeSerializer<K> keySerializer, int keyGroups, Path directory, boolean compressed)
            throws Exception {
        this.keySerializer = keySerializer;
        this.keyGroups = keyGroups;
        this.directory = directory;
        JobID jobId = new JobID();
        ExecutionConfig config = new ExecutionConfig();
        config.setUseSnapshotCompression(compressed);
        environment =
                new MockEnvironmentBuilder()
                        .setManagedMemorySize(MANAGED_BYTES)
                        .setExecutionConfig(config)
                        .setTaskManagerRuntimeInfo(
                                new TestingTaskManagerRuntimeInfo(
                                        new Configuration(),
                                        new String[] {directory.toString()},
                                        "localhost",
                                        directory.toFile()))
                        .setJobID(jobId)
                        .build();
        environment.setCheckpointStorageAccess(
                new JobManagerCheckpointStorage().createCheckpointStorage(jobId));
    }

    int keyGroups() {
        return keyGroups;
    }

    TypeSerializer<K> keySerializer() {
        return keySerializer;
    }

    List<AbstractKeyedStateBackend<K>> tasks() {
        return tasks;
    }

    void setTime(long millis) {
        clock.time = millis;
    }

    /** Returns Strata with its local files below a directory of its own. */
    StateBackend strata(int sortBytes) {
        return new StrataStateBackend()
                .set(StrataOptions.LOCAL_DIRECTORIES, directory.resolve("strata").toString())
                .set(StrataOptions.DEBUG_SAVEPOINT_SORT_BYTES, sortBytes);
    }

    /** Ends all tasks and starts others from the handles of a snapshot. */
    void restart(
            StateBackend backend, int parallelism, Collection<? extends KeyedStateHandle> handles)
            throws Exception {
        stop();
        for (int index = 0; index < parallelism; index++) {
            List<KeyedStateHandle> own = new ArrayList<>();
            StateAssignmentOperation.extractIntersectingState(
                    handles,
                    KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
                            keyGroups, parallelism, index),
                    own);
            tasks.add(start(backend, index, parallelism, own));
        }
    }

    private AbstractKeyedStateBackend<K> start(
            StateBackend backend, int index, int parallelism, List<KeyedStateHandle> handles)
            throws Exception {
        // Flink closes this registry when the backend is there: only the restore may use it.
        try (CloseableRegistry restore = new CloseableRegistry()) {
            return (AbstractKeyedStateBackend<K>)
                    backend.createKeyedStateBackend(
                            new KeyedStateBackendParametersImpl<>(
                                    environment,
                                    environment.getJobID(),
                                    "operator-" + index,
                                    keySerializer,
                                    keyGroups,
                                    KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
                                            keyGroups, parallelism, index),
                                    environment.getTaskKvStateRegistry(),
                                    clock,
                                    new UnregisteredMetricsGroup(),
                                    (name, value) -> {},
                                    handles,
                                    restore,
                                    1.0));
        }
    }

    AbstractKeyedStateBackend<K> taskOf(K key) {
        int keyGroup = KeyGroupRangeAssignment.assignToKeyGroup(key, keyGroups);
        return tasks.get(
                KeyGroupRangeAssignment.computeOperatorIndexForKeyGroup(
                        keyGroups, tasks.size(), keyGroup));
    }

    /** Takes a canonical savepoint of all tasks. */
    List<KeyedStateHandle> canonicalSavepoint() throws Exception {
        List<KeyedStateHandle> handles = new ArrayList<>();
        for (AbstractKeyedStateBackend<K> task : tasks) {
            try (CloseableRegistry streams = new CloseableRegistry()) {
                addHandle(
                        StreamOperatorStateHandler.prepareCanonicalSavepoint(task, streams)
                                .snapshot(
                                        1,
                                        1,
                                        new MemCheckpointStreamFactory(MOST_SNAPSHOT_BYTES),
                                        CheckpointOptions.forCheckpointWithDefaultLocation()),
                        handles);
            }
        }
        return handles;
    }

    /** Takes a checkpoint of all tasks. */
    List<KeyedStateHandle> checkpoint(long id) throws Exception {
        List<KeyedStateHandle> handles = new ArrayList<>();
        for (AbstractKeyedStateBackend<K> task : tasks) {
            addHandle(
                    task.snapshot(
                            id,
                            id,
                            new MemCheckpointStreamFactory(MOST_SNAPSHOT_BYTES),
                            CheckpointOptions.forCheckpointWithDefaultLocation()),
                    handles);
        }
        return handles;
    }

    private static void addHandle(
            RunnableFuture<SnapshotResult<KeyedStateHandle>> snapshot,
            List<KeyedStateHandle> handles)
            throws Exception {
        snapshot.run();
        KeyedStateHandle handle = snapshot.get().getJobManagerOwnedSnapshot();
        if (handle != null) {
            handles.add(handle);
        }
    }

    private void stop() throws Exception {
        for (AbstractKeyedStateBackend<K> task : tasks) {
            task.close();
            task.dispose();
        }
        tasks.clear();
    }

    /** Ends all tasks; Strata leaves no local file. */
    @Override
    public void close() throws Exception {
        stop();
        environment.close();
        assertThat(strataFiles()).isEmpty();
    }

    List<Path> strataFiles() throws Exception {
        Path strata = directory.resolve("strata");
        if (!Files.exists(strata)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(strata)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }
}
