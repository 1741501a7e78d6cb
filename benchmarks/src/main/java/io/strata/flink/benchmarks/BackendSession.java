/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateBackendParametersImpl;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.StateBackendLoader;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.apache.flink.runtime.util.TestingTaskManagerRuntimeInfo;
import org.apache.flink.util.IOUtils;

/**
 * One keyed backend with keys of type {@code Long}, made from configuration as a task makes it, but
 * without the task. Used by one thread.
 */
public final class BackendSession implements AutoCloseable {

    /** The key groups of the operator that the backend stands for. */
    static final int KEY_GROUPS = 128;

    private final MockEnvironment environment;
    private final GaugeCollector gauges = new GaugeCollector();
    private final CloseableRegistry closeables = new CloseableRegistry();
    private final AbstractKeyedStateBackend<Long> backend;
    private final CheckpointTimer checkpoints;

    /**
     * Opens an empty backend.
     *
     * @param directory for its local files
     * @param more further Flink options
     */
    public BackendSession(
            MeasuredBackend measured,
            WorkloadOptions options,
            Path directory,
            Map<String, String> more)
            throws Exception {
        this(measured, options, directory, more, KeyGroupRange.of(0, KEY_GROUPS - 1), List.of());
    }

    /**
     * Opens a backend of some of the key groups.
     *
     * @param directory for its local files
     * @param more further Flink options
     * @param restored what it is restored from, nothing for an empty one
     */
    BackendSession(
            MeasuredBackend measured,
            WorkloadOptions options,
            Path directory,
            Map<String, String> more,
            KeyGroupRange keyGroups,
            List<KeyedStateHandle> restored)
            throws Exception {
        Configuration configuration = configuration(measured, options, directory);
        configuration.addAll(Configuration.fromMap(more));
        environment =
                MockEnvironment.builder()
                        .setTaskConfiguration(configuration)
                        .setManagedMemorySize(
                                MemorySize.ofMebiBytes(options.managedMib()).getBytes())
                        .setMaxParallelism(KEY_GROUPS)
                        .setTaskManagerRuntimeInfo(
                                new TestingTaskManagerRuntimeInfo(
                                        configuration, directory.toString()))
                        .build();
        ClassLoader classLoader = BackendSession.class.getClassLoader();
        StateBackend stateBackend =
                StateBackendLoader.loadStateBackendFromConfig(configuration, classLoader, null);
        backend =
                (AbstractKeyedStateBackend<Long>)
                        stateBackend.createKeyedStateBackend(parameters(keyGroups, restored));
        checkpoints = new CheckpointTimer(backend, options.checkpointMillis());
    }

    private static Configuration configuration(
            MeasuredBackend measured, WorkloadOptions options, Path directory) {
        Configuration configuration = new Configuration();
        configuration.set(StateBackendOptions.STATE_BACKEND, measured.type());
        configuration.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
        configuration.set(CoreOptions.TMP_DIRS, directory.toString());
        if (measured == MeasuredBackend.STRATA) {
            configuration.setString("state.backend.strata.hot.size", options.hotMib() + "mb");
        }
        return configuration;
    }

    private KeyedStateBackendParametersImpl<Long> parameters(
            KeyGroupRange keyGroups, List<KeyedStateHandle> restored) {
        return new KeyedStateBackendParametersImpl<>(
                environment,
                new JobID(),
                "benchmark",
                LongSerializer.INSTANCE,
                KEY_GROUPS,
                keyGroups,
                environment.getTaskKvStateRegistry(),
                TtlTimeProvider.DEFAULT,
                gauges,
                restored,
                closeables);
    }

    /** Returns the state object, in the namespace of plain keyed state. */
    public <S extends State> S state(StateDescriptor<S, ?> descriptor) throws Exception {
        return backend.getPartitionedState(
                VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
    }

    /** What a task does before each record: sets the key; now and then there is a checkpoint. */
    public void beginRecord(long key) throws Exception {
        checkpoints.recordBoundary();
        backend.setCurrentKey(key);
    }

    /** Takes a checkpoint and waits for it. */
    public void checkpoint() throws Exception {
        checkpoints.checkpoint();
    }

    /** Returns the checkpoints so far. */
    public CheckpointTimer checkpoints() {
        return checkpoints;
    }

    /** Takes a checkpoint into the given streams and returns what it is restored from. */
    KeyedStateHandle snapshot(CheckpointStreamFactory streams) throws Exception {
        RunnableFuture<SnapshotResult<KeyedStateHandle>> snapshot =
                backend.snapshot(
                        1, 1, streams, CheckpointOptions.forCheckpointWithDefaultLocation());
        snapshot.run();
        return snapshot.get().getJobManagerOwnedSnapshot();
    }

    /** Returns what the backend tells in numbers: its gauges by name, added up. */
    public Map<String, Long> gauges() {
        return gauges.values();
    }

    @Override
    public void close() throws Exception {
        try {
            checkpoints.close();
        } finally {
            IOUtils.closeQuietly(backend);
            backend.dispose();
            closeEnvironment();
        }
    }

    private void closeEnvironment() throws IOException {
        try {
            closeables.close();
            environment.close();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("The environment did not close", e);
        }
    }
}
