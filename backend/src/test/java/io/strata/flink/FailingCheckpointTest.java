/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.core.fs.local.LocalFileSystem;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStreamFactory;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints whose remote side fails at every operation in turn: nothing may be left. */
class FailingCheckpointTest {

    /** Tests of other classes may have left backends behind in this process. */
    private final int usersBefore = ProcessResources.users();

    @TempDir Path local;
    @TempDir Path remote;

    @Test
    void leavesNothingWhicheverOperationFails() throws Exception {
        try (TestTasks tasks = new TestTasks(new StrataStateBackend(), local)) {
            TestTasks.Task task = tasks.start();
            boolean failed = true;
            int failures = 0;
            for (int operation = 0; failed; operation++) {
                changeSomething(task, operation);
                AtomicInteger left = new AtomicInteger(operation);
                FailingStreams streams = failing(remote, left);
                RunnableFuture<SnapshotResult<KeyedStateHandle>> checkpoint =
                        snapshot(task, operation, streams);
                checkpoint.run();
                failed = left.get() < 0;
                if (failed) {
                    failures++;
                    assertThatThrownBy(checkpoint::get)
                            .isInstanceOf(ExecutionException.class)
                            .hasRootCauseMessage("planted");
                    assertThat(TestCheckpoints.files(remote))
                            .as("operation %d", operation)
                            .isEmpty();
                } else {
                    KeyedStateHandle handle = checkpoint.get().getJobManagerOwnedSnapshot();
                    tasks.start(handle).end();
                    handle.discardState();
                }
            }
            assertThat(failures).isGreaterThan(8);
            task.end();
        }
        assertThat(TestCheckpoints.files(remote)).isEmpty();
        assertThat(local).isEmptyDirectory();
        assertThat(ProcessResources.users()).isEqualTo(usersBefore);
    }

    private static void changeSomething(TestTasks.Task task, int round) throws Exception {
        task.backend().setCurrentKey(round);
        task.backend()
                .getPartitionedState(
                        VoidNamespace.INSTANCE,
                        VoidNamespaceSerializer.INSTANCE,
                        new ValueStateDescriptor<>("value", LongSerializer.INSTANCE))
                .update((long) round);
        if (round == 0) {
            task.backend()
                    .create(
                            "timers",
                            new TimerSerializer<>(
                                    IntSerializer.INSTANCE, VoidNamespaceSerializer.INSTANCE))
                    .add(new TimerHeapInternalTimer<>(1, 1, VoidNamespace.INSTANCE));
        }
    }

    private static RunnableFuture<SnapshotResult<KeyedStateHandle>> snapshot(
            TestTasks.Task task, long id, CheckpointStreamFactory streams) throws Exception {
        return task.backend()
                .snapshot(id, 0, streams, CheckpointOptions.forCheckpointWithDefaultLocation());
    }

    /** Streams on the local file system; the operation of the given number fails. */
    private static FailingStreams failing(Path directory, AtomicInteger left) throws IOException {
        org.apache.flink.core.fs.Path path =
                new org.apache.flink.core.fs.Path(
                        Files.createDirectories(directory.resolve("chk")).toUri());
        return new FailingStreams(
                new FsCheckpointStreamFactory(
                        LocalFileSystem.getSharedInstance(), path, path, 0, 64),
                () -> left.getAndDecrement() == 0);
    }
}
