/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.checkpoint.restore.ForeignStateException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.runtime.query.KvStateRegistry;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.BackendBuildingException;
import org.apache.flink.runtime.state.CheckpointableKeyedStateBackend;
import org.apache.flink.runtime.state.KeyedStateBackendParametersImpl;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints that other backends really wrote are refused, with the name of the writer. */
class ForeignCheckpointTest {

    private static final int MAX_BYTES = 1 << 20;

    @TempDir Path local;

    @Test
    void refusesCheckpointsOfHashmap() throws Exception {
        assertRefused(new HashMapStateBackend(), "hashmap");
    }

    @Test
    void refusesIncrementalCheckpointsOfRocksDb() throws Exception {
        assertRefused(new EmbeddedRocksDBStateBackend(true), "rocksdb");
    }

    @Test
    void refusesFullCheckpointsOfRocksDb() throws Exception {
        assertRefused(new EmbeddedRocksDBStateBackend(false), "rocksdb");
    }

    private void assertRefused(StateBackend writer, String name) throws Exception {
        KeyedStateHandle handle = checkpointOf(writer);
        try (TestTasks tasks = new TestTasks(new StrataStateBackend(), local)) {
            assertThatThrownBy(() -> tasks.start(handle))
                    .isInstanceOf(BackendBuildingException.class)
                    .cause()
                    .isInstanceOf(ForeignStateException.class)
                    .hasMessageContaining(name)
                    .hasMessageContaining("state.backend.type");
        }
        assertThat(local).isEmptyDirectory();
    }

    private static KeyedStateHandle checkpointOf(StateBackend writer) throws Exception {
        try (MockEnvironment environment =
                        new MockEnvironmentBuilder().setTaskName("foreign").build();
                CloseableRegistry registry = new CloseableRegistry()) {
            CheckpointableKeyedStateBackend<Integer> backend =
                    writer.createKeyedStateBackend(
                            new KeyedStateBackendParametersImpl<>(
                                    environment,
                                    new JobID(),
                                    "operator",
                                    IntSerializer.INSTANCE,
                                    TestTasks.KEY_GROUPS,
                                    TestTasks.keyGroups(0, 1),
                                    new KvStateRegistry()
                                            .createTaskRegistry(
                                                    environment.getJobID(),
                                                    environment.getJobVertexId()),
                                    TtlTimeProvider.DEFAULT,
                                    new UnregisteredMetricsGroup(),
                                    List.of(),
                                    registry));
            try {
                backend.setCurrentKey(1);
                ((AbstractKeyedStateBackend<Integer>) backend)
                        .getPartitionedState(
                                VoidNamespace.INSTANCE,
                                VoidNamespaceSerializer.INSTANCE,
                                new ValueStateDescriptor<>("value", LongSerializer.INSTANCE))
                        .update(1L);
                RunnableFuture<SnapshotResult<KeyedStateHandle>> snapshot =
                        backend.snapshot(
                                1,
                                0,
                                new MemCheckpointStreamFactory(MAX_BYTES),
                                CheckpointOptions.forCheckpointWithDefaultLocation());
                snapshot.run();
                return snapshot.get().getJobManagerOwnedSnapshot();
            } finally {
                backend.dispose();
            }
        }
    }
}
