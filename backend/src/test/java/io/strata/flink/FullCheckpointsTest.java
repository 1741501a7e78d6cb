/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static io.strata.flink.TestCheckpoints.CHECKPOINT;
import static io.strata.flink.TestCheckpoints.references;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.LocalSnapshotDirectoryProviderImpl;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints with {@code execution.checkpointing.incremental: false}. */
class FullCheckpointsTest {

    private static final int KEYS = 300;

    @TempDir Path scratch;
    @TempDir Path remote;
    @TempDir Path copies;

    private TestTasks full;
    private TestTasks incremental;
    private TestCheckpoints checkpoints;

    @BeforeEach
    void setUp() {
        LocalRecoveryConfig localRecovery =
                LocalRecoveryConfig.backupAndRecoveryEnabled(
                        new LocalSnapshotDirectoryProviderImpl(
                                copies.toFile(), new JobID(), new JobVertexID(), 0));
        Configuration config =
                Configuration.fromMap(Map.of("execution.checkpointing.incremental", "false"));
        full =
                new TestTasks(new StrataStateBackend(), scratch, config)
                        .withLocalRecovery(localRecovery);
        incremental = new TestTasks(new StrataStateBackend(), scratch);
        checkpoints = new TestCheckpoints(remote);
    }

    @AfterEach
    void leavesNothing() throws Exception {
        full.close();
        incremental.close();
        assertThat(scratch).isEmptyDirectory();
        checkpoints.discardLatestAndExpectNoFiles();
    }

    @Test
    void everyCheckpointNeedsItsOwnDirectoryOnly() throws Exception {
        TestTasks.Task task = full.start();
        for (int id = 1; id <= 3; id++) {
            write(task, id);
            IncrementalRemoteKeyedStateHandle handle = checkpoints.take(task, id, CHECKPOINT);

            assertThat(handle.getSharedState()).isEmpty();
            assertThat(handle.getCheckpointedSize()).isEqualTo(handle.getStateSize());
            assertThat(TestCheckpoints.files(remote.resolve("shared"))).isEmpty();
            assertThat(TestCheckpoints.files(remote))
                    .hasSameSizeAs(TestCheckpoints.files(remote.resolve("chk-" + id)));
            assertAll(full.start(handle), id);
        }
    }

    @Test
    void continuesFromOneAsIncrementalWithoutReferringToIt() throws Exception {
        TestTasks.Task task = full.start();
        write(task, 7);
        IncrementalRemoteKeyedStateHandle first = checkpoints.take(task, 1, CHECKPOINT);
        TestTasks.Task continued = incremental.start(first);

        IncrementalRemoteKeyedStateHandle second =
                TestCheckpoints.finish(checkpoints.begin(continued, 2, CHECKPOINT));

        assertThat(second.getSharedState()).isNotEmpty();
        assertThat(references(second)).isZero();
        checkpoints.complete(2, List.of(second));
        assertThat(TestCheckpoints.files(remote.resolve("chk-1"))).isEmpty();
        assertAll(incremental.start(second), 7);
    }

    @Test
    void continuesFromAnIncrementalOneWithoutReferringToIt() throws Exception {
        TestTasks.Task task = incremental.start();
        write(task, 7);
        TestTasks.Task continued = full.start(checkpoints.take(task, 1, CHECKPOINT));

        IncrementalRemoteKeyedStateHandle second = checkpoints.take(continued, 2, CHECKPOINT);

        assertThat(TestCheckpoints.files(remote.resolve("shared"))).isEmpty();
        assertAll(full.start(second), 7);
    }

    @Test
    void hasTaskLocalCopiesThatReferToNothing() throws Exception {
        TestTasks.Task task = full.start();
        write(task, 7);
        RunnableFuture<SnapshotResult<KeyedStateHandle>> running =
                checkpoints.begin(task, 1, CHECKPOINT);
        running.run();
        running.get().getJobManagerOwnedSnapshot().discardState();

        TestTasks.Task restored = full.start(running.get().getTaskLocalSnapshot());

        assertAll(restored, 7);
        IncrementalRemoteKeyedStateHandle next = checkpoints.take(restored, 2, CHECKPOINT);
        assertAll(full.start(next), 7);
        TestTasks.Task asIncremental = incremental.start(running.get().getTaskLocalSnapshot());
        assertThat(references(checkpoints.take(asIncremental, 3, CHECKPOINT))).isZero();
    }

    private static void write(TestTasks.Task task, long value) throws Exception {
        for (int key = 0; key < KEYS; key++) {
            task.backend().setCurrentKey(key);
            counter(task).update(value);
        }
    }

    private static void assertAll(TestTasks.Task task, long value) throws Exception {
        for (int key = 0; key < KEYS; key++) {
            task.backend().setCurrentKey(key);
            assertThat(counter(task).value()).as("key %d", key).isEqualTo(value);
        }
    }

    private static ValueState<Long> counter(TestTasks.Task task) throws Exception {
        return task.backend()
                .getPartitionedState(
                        VoidNamespace.INSTANCE,
                        VoidNamespaceSerializer.INSTANCE,
                        new ValueStateDescriptor<>("counter", LongSerializer.INSTANCE));
    }
}
