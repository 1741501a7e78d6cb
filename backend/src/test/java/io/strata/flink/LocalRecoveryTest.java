/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static io.strata.flink.TestCheckpoints.CHECKPOINT;
import static io.strata.flink.TestCheckpoints.FULL_CHECKPOINT;
import static io.strata.flink.TestCheckpoints.NATIVE_SAVEPOINT;
import static io.strata.flink.TestCheckpoints.references;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.checkpoint.transfer.SegmentRestoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.RunnableFuture;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.PrioritizedOperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.SnapshotType;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.apache.flink.runtime.state.BackendBuildingException;
import org.apache.flink.runtime.state.IncrementalLocalKeyedStateHandle;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.LocalSnapshotDirectoryProviderImpl;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StateObject;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.streaming.api.operators.BackendRestorerProcedure;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Task-local copies of checkpoints: made, restored from, damaged, and given up. */
class LocalRecoveryTest {

    private static final int KEYS = 500;
    private static final int TIMERS = 20;
    private static final ValueStateDescriptor<Long> COUNTER =
            new ValueStateDescriptor<>("counter", LongSerializer.INSTANCE);

    @TempDir Path scratch;
    @TempDir Path copies;
    @TempDir Path remote;

    private TestTasks tasks;
    private TestCheckpoints checkpoints;

    /** What a checkpoint gave: to the job manager, and for the task itself. */
    private record Taken(
            IncrementalRemoteKeyedStateHandle remote, IncrementalLocalKeyedStateHandle local) {

        Path directory() {
            return local.getDirectoryStateHandle().getDirectory();
        }

        Path segment() throws IOException {
            try (Stream<Path> files = Files.list(directory())) {
                return files.filter(file -> file.toString().endsWith(".seg")).findFirst().get();
            }
        }
    }

    @BeforeEach
    void setUp() {
        tasks =
                new TestTasks(new StrataStateBackend(), scratch)
                        .withLocalRecovery(localRecovery(copies));
        checkpoints = new TestCheckpoints(remote);
    }

    @AfterEach
    void leavesNothing() {
        tasks.close();
        assertThat(scratch).isEmptyDirectory();
    }

    private static LocalRecoveryConfig localRecovery(Path directory) {
        return LocalRecoveryConfig.backupAndRecoveryEnabled(
                new LocalSnapshotDirectoryProviderImpl(
                        directory.toFile(), new JobID(), new JobVertexID(), 0));
    }

    @Test
    void restoresWithoutTouchingTheCheckpoint() throws Exception {
        Taken taken = takeOf(taskWithState(7), 1);
        deleteFiles(remote);

        TestTasks.Task restored = tasks.start(taken.local());

        assertState(restored, 7);
        restored.end();
        taken.local().discardState();
        assertThat(TestCheckpoints.files(copies)).isEmpty();
    }

    @Test
    void sharesTheBytesOfTheSegmentsWithTheTask() throws Exception {
        TestTasks.Task task = taskWithState(7);
        Taken taken = take(task, 1, CHECKPOINT);

        assertThat(linksOf(taken.segment())).isEqualTo(2);
        task.end();
        assertThat(linksOf(taken.segment())).isEqualTo(1);
        TestTasks.Task restored = tasks.start(taken.local());
        assertThat(linksOf(taken.segment())).isEqualTo(2);

        taken.local().discardState();

        assertState(restored, 7);
        restored.end();
    }

    @Test
    void refersToTheFilesOfTheCheckpointAfterwards() throws Exception {
        Taken taken = takeOf(taskWithState(7), 1);
        TestTasks.Task restored = tasks.start(taken.local());

        Taken next = finish(checkpoints.begin(restored, 2, CHECKPOINT));

        assertThat(references(next.remote()))
                .isEqualTo(next.remote().getSharedState().size())
                .isPositive();
        checkpoints.complete(2, List.of(next.remote()));
        restored.end();
        assertState(tasks.start(next.local()), 7);
        assertState(tasks.start(next.remote()), 7);
    }

    @Test
    void copiesWhatARescaleLeftSparse() throws Exception {
        Taken whole = takeOf(taskWithState(7), 1);
        List<Taken> parts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            TestTasks.Task part = tasks.start(i, 3, List.of(whole.remote()));
            registerTimers(part);
            parts.add(finish(checkpoints.begin(part, 2, CHECKPOINT)));
            part.end();
        }
        checkpoints.complete(2, parts.stream().map(Taken::remote).toList());
        deleteFiles(remote);

        for (int i = 0; i < 3; i++) {
            TestTasks.Task part = tasks.start(i, 3, List.of(parts.get(i).local()));
            assertOwnKeys(part, i, 3, 7);
            Taken full = take(part, 3 + i, FULL_CHECKPOINT);
            part.end();
            assertOwnKeys(tasks.start(i, 3, List.of(full.remote())), i, 3, 7);
            assertOwnKeys(tasks.start(i, 3, List.of(full.local())), i, 3, 7);
        }
    }

    @Test
    void restoresTheHalfThatItOwns() throws Exception {
        Taken taken = takeOf(taskWithState(7), 1);
        deleteFiles(remote);

        assertOwnKeys(tasks.start(1, 2, List.of(taken.local())), 1, 2, 7);
    }

    @Test
    void goesOverToTheCheckpointWhenTheCopyIsDamaged() throws Exception {
        Taken taken = takeOf(taskWithState(7), 1);
        byte[] bytes = Files.readAllBytes(taken.segment());
        byte[] altered = bytes.clone();
        altered[bytes.length / 3] ^= 4;
        List<byte[]> damages =
                List.of(new byte[0], Arrays.copyOf(bytes, bytes.length - 1), altered);
        for (byte[] damaged : damages) {
            Files.write(taken.segment(), damaged);
            assertGoesOver(taken, taken.segment().getFileName().toString());
        }
        Files.delete(taken.directory().resolve("timers"));
        Files.write(taken.segment(), bytes);
        assertGoesOver(taken, "timers");
        Files.write(taken.directory().resolve("metadata"), new byte[50]);
        assertGoesOver(taken, "metadata");
        Files.delete(taken.segment());
        Files.delete(taken.directory().resolve("metadata"));
        assertGoesOver(taken, "metadata");
        deleteFiles(copies);
        assertGoesOver(taken, "metadata");
    }

    private void assertGoesOver(Taken taken, String file) throws Exception {
        assertThatThrownBy(() -> tasks.start(taken.local()))
                .isInstanceOf(BackendBuildingException.class)
                .cause()
                .isInstanceOf(SegmentRestoreException.class)
                .hasMessageContaining(file);
        PrioritizedOperatorSubtaskState alternatives =
                new PrioritizedOperatorSubtaskState.Builder(
                                subtaskState(taken.remote()),
                                List.of(subtaskState(taken.local())),
                                1L)
                        .build();
        try (CloseableRegistry registry = new CloseableRegistry()) {
            List<TestTasks.Task> started = new ArrayList<>();
            new BackendRestorerProcedure<StrataKeyedStateBackend<Integer>, KeyedStateHandle>(
                            handles -> {
                                started.add(tasks.start(0, 1, handles));
                                return started.get(0).backend();
                            },
                            registry,
                            "test")
                    .createAndRestore(
                            alternatives.getPrioritizedManagedKeyedState(),
                            StateObject.StateObjectSizeStatsCollector.create());
            assertState(started.get(0), 7);
            started.get(0).end();
        }
    }

    private static OperatorSubtaskState subtaskState(KeyedStateHandle handle) {
        return OperatorSubtaskState.builder().setManagedKeyedState(handle).build();
    }

    @Test
    void aCheckpointDoesWithoutACopyThatCannotBeMade() throws Exception {
        Path file = Files.createFile(copies.resolve("occupied"));
        tasks.withLocalRecovery(localRecovery(file));
        TestTasks.Task task = taskWithState(7);

        SnapshotResult<KeyedStateHandle> result = run(checkpoints.begin(task, 1, CHECKPOINT));

        assertThat(result.getTaskLocalSnapshot()).isNull();
        task.end();
        assertState(tasks.start(result.getJobManagerOwnedSnapshot()), 7);
    }

    @Test
    void aFailedCheckpointLeavesNoCopy() throws Exception {
        TestTasks.Task task = taskWithState(7);
        RunnableFuture<SnapshotResult<KeyedStateHandle>> cancelled =
                checkpoints.begin(task, 1, CHECKPOINT);
        cancelled.cancel(true);
        RunnableFuture<SnapshotResult<KeyedStateHandle>> failed =
                checkpoints.begin(task, 2, CHECKPOINT);
        deleteFiles(remote.resolve("shared"));
        Files.delete(remote.resolve("shared"));
        Files.createFile(remote.resolve("shared"));
        failed.run();

        assertThatThrownBy(failed::get).hasRootCauseInstanceOf(IOException.class);
        assertThat(TestCheckpoints.files(copies)).isEmpty();
        task.end();
    }

    @Test
    void aCheckpointThatFailsAtItsEndLeavesNoCopy() throws Exception {
        TestTasks.Task task = taskWithState(7);
        MemCheckpointStreamFactory storage =
                new MemCheckpointStreamFactory(1 << 20) {
                    @Override
                    public void reusePreviousStateHandle(
                            Collection<? extends StreamStateHandle> previousHandle) {
                        throw new IllegalStateException("planted");
                    }
                };
        RunnableFuture<SnapshotResult<KeyedStateHandle>> failed =
                task.backend()
                        .snapshot(
                                1,
                                1,
                                storage,
                                CheckpointOptions.forCheckpointWithDefaultLocation());

        failed.run();

        assertThatThrownBy(failed::get).hasMessageContaining("planted");
        assertThat(TestCheckpoints.files(copies)).isEmpty();
        task.end();
    }

    @Test
    void aSavepointHasNoCopy() throws Exception {
        TestTasks.Task task = taskWithState(7);

        assertThat(run(checkpoints.begin(task, 1, NATIVE_SAVEPOINT)).getTaskLocalSnapshot())
                .isNull();
        assertThat(TestCheckpoints.files(copies)).isEmpty();
        task.end();
    }

    @Test
    void twoOperatorsOfOneTaskKeepTheirCopiesApart() throws Exception {
        TestTasks.Task one = taskWithState(1);
        TestTasks.Task two = taskWithState(2);
        Taken ofOne = take(one, 1, CHECKPOINT);
        Taken ofTwo = finish(checkpoints.begin(two, 1, CHECKPOINT));
        one.end();
        two.end();

        ofOne.local().discardState();

        assertState(tasks.start(ofTwo.local()), 2);
    }

    private TestTasks.Task taskWithState(long value) throws Exception {
        TestTasks.Task task = tasks.start();
        for (int key = 0; key < KEYS; key++) {
            task.backend().setCurrentKey(key);
            counter(task).update(value);
        }
        KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<Integer, VoidNamespace>> timers =
                registerTimers(task);
        for (int key = 0; key < TIMERS; key++) {
            timers.add(new TimerHeapInternalTimer<>(key, key, VoidNamespace.INSTANCE));
        }
        return task;
    }

    private Taken takeOf(TestTasks.Task task, long id) throws Exception {
        Taken taken = take(task, id, CHECKPOINT);
        task.end();
        return taken;
    }

    private Taken take(TestTasks.Task task, long id, SnapshotType type) throws Exception {
        Taken taken = finish(checkpoints.begin(task, id, type));
        checkpoints.complete(id, List.of(taken.remote()));
        task.backend().notifyCheckpointComplete(id);
        return taken;
    }

    private static Taken finish(RunnableFuture<SnapshotResult<KeyedStateHandle>> checkpoint)
            throws Exception {
        SnapshotResult<KeyedStateHandle> result = run(checkpoint);
        return new Taken(
                (IncrementalRemoteKeyedStateHandle) result.getJobManagerOwnedSnapshot(),
                (IncrementalLocalKeyedStateHandle) result.getTaskLocalSnapshot());
    }

    private static SnapshotResult<KeyedStateHandle> run(
            RunnableFuture<SnapshotResult<KeyedStateHandle>> checkpoint) throws Exception {
        checkpoint.run();
        return checkpoint.get();
    }

    private static void assertState(TestTasks.Task task, long value) throws Exception {
        assertOwnKeys(task, 0, 1, value);
        assertThat(registerTimers(task).size()).isEqualTo(TIMERS);
    }

    private static void assertOwnKeys(TestTasks.Task task, int index, int parallelism, long value)
            throws Exception {
        for (int key = 0; key < KEYS; key++) {
            if (TestTasks.taskOf(key, parallelism) == index) {
                task.backend().setCurrentKey(key);
                assertThat(counter(task).value()).as("key %d", key).isEqualTo(value);
            }
        }
    }

    private static ValueState<Long> counter(TestTasks.Task task) throws Exception {
        return task.backend()
                .getPartitionedState(
                        VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, COUNTER);
    }

    private static KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<Integer, VoidNamespace>>
            registerTimers(TestTasks.Task task) {
        return task.backend()
                .create(
                        "timers",
                        new TimerSerializer<>(
                                IntSerializer.INSTANCE, VoidNamespaceSerializer.INSTANCE));
    }

    private static int linksOf(Path file) throws IOException {
        return (int) Files.getAttribute(file, "unix:nlink");
    }

    private static void deleteFiles(Path directory) throws IOException {
        for (Path file : TestCheckpoints.files(directory)) {
            Files.delete(file);
        }
    }
}
