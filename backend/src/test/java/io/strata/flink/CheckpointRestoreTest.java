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

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.runtime.state.BackendBuildingException;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints and restores of a whole backend, one situation a test. */
class CheckpointRestoreTest {

    private static final int KEYS = 500;
    private static final ValueStateDescriptor<Long> COUNTER =
            new ValueStateDescriptor<>("counter", LongSerializer.INSTANCE);

    /** Tests of other classes may have left backends behind in this process. */
    private final int usersBefore = ProcessResources.users();

    @TempDir Path local;
    @TempDir Path remote;

    private TestTasks tasks;
    private TestCheckpoints checkpoints;

    @BeforeEach
    void setUp() {
        tasks = new TestTasks(new StrataStateBackend(), local);
        checkpoints = new TestCheckpoints(remote);
    }

    @AfterEach
    void leavesNothing() throws Exception {
        tasks.close();
        assertThat(local).isEmptyDirectory();
        assertThat(ProcessResources.users()).isEqualTo(usersBefore);
        checkpoints.discardLatestAndExpectNoFiles();
    }

    @Test
    void restoresAtTheSameParallelism() throws Exception {
        TestTasks.Task task = tasks.start();
        write(task, 7);
        KeyedStateHandle handle = checkpoints.take(task, 1, CHECKPOINT);
        write(task, 8);
        task.end();

        TestTasks.Task restored = tasks.start(handle);

        assertAll(restored, 7);
        restored.end();
    }

    @Test
    void laterCheckpointsReferToWhatWasUploaded() throws Exception {
        TestTasks.Task task = tasks.start();
        write(task, 7);
        checkpoints.take(task, 1, CHECKPOINT);
        put(task, 1, 100);
        IncrementalRemoteKeyedStateHandle second = checkpoints.take(task, 2, CHECKPOINT);
        IncrementalRemoteKeyedStateHandle unchanged = checkpoints.take(task, 3, CHECKPOINT);

        assertThat(second.getCheckpointedSize()).isLessThan(second.getStateSize() / 2);
        assertThat(unchanged.getCheckpointedSize()).isLessThan(2000);
        task.end();
        TestTasks.Task restored = tasks.start(unchanged);
        assertThat(get(restored, 1)).isEqualTo(100);
        assertThat(get(restored, 2)).isEqualTo(7);
    }

    @Test
    void doesNotUploadAgainWhatItWasRestoredFrom() throws Exception {
        TestTasks.Task task = tasks.start();
        write(task, 7);
        KeyedStateHandle handle = checkpoints.take(task, 1, CHECKPOINT);
        task.end();
        TestTasks.Task restored = tasks.start(handle);

        IncrementalRemoteKeyedStateHandle next =
                TestCheckpoints.finish(checkpoints.begin(restored, 2, CHECKPOINT));

        assertThat(references(next)).isEqualTo(next.getSharedState().size()).isPositive();
        checkpoints.complete(2, List.of(next));
        restored.end();
        assertAll(tasks.start(next), 7);
    }

    @Test
    void doesNotUploadAgainAfterARescale() throws Exception {
        TestTasks.Task task = tasks.start();
        write(task, 7);
        KeyedStateHandle whole = checkpoints.take(task, 1, CHECKPOINT);
        task.end();

        List<IncrementalRemoteKeyedStateHandle> parts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            TestTasks.Task part = tasks.start(i, 3, List.of(whole));
            parts.add(TestCheckpoints.finish(checkpoints.begin(part, 2, CHECKPOINT)));
            assertThat(references(parts.get(i))).isEqualTo(parts.get(i).getSharedState().size());
            part.end();
        }
        checkpoints.complete(2, parts);
        TestTasks.Task merged = tasks.start(0, 1, parts);
        assertAll(merged, 7);
        IncrementalRemoteKeyedStateHandle last = checkpoints.take(merged, 3, CHECKPOINT);
        merged.end();
        assertAll(tasks.start(last), 7);
    }

    @Test
    void aFullCheckpointAfterARescaleHoldsOnlyWhatTheTaskOwns() throws Exception {
        TestTasks.Task task = tasks.start();
        write(task, 7);
        IncrementalRemoteKeyedStateHandle whole = checkpoints.take(task, 1, CHECKPOINT);
        task.end();

        List<IncrementalRemoteKeyedStateHandle> parts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            TestTasks.Task part = tasks.start(i, 4, List.of(whole));
            parts.add(TestCheckpoints.finish(checkpoints.begin(part, 2, FULL_CHECKPOINT)));
            assertThat(references(parts.get(i))).isZero();
            assertThat(sharedBytes(parts.get(i))).isLessThan(sharedBytes(whole) / 2);
            part.end();
        }
        checkpoints.complete(2, parts);

        // The parts hold different ranges of one segment, side by side in one task.
        TestTasks.Task merged = tasks.start(0, 1, parts);
        assertAll(merged, 7);
        IncrementalRemoteKeyedStateHandle full = checkpoints.take(merged, 3, FULL_CHECKPOINT);
        merged.end();
        TestTasks.Task half = tasks.start(1, 2, List.of(full));
        for (int key = 0; key < KEYS; key++) {
            if (TestTasks.taskOf(key, 2) == 1) {
                assertThat(get(half, key)).isEqualTo(7);
            }
        }
    }

    @Test
    void aNativeSavepointNeedsNoOtherFiles() throws Exception {
        TestTasks.Task task = tasks.start();
        write(task, 7);
        checkpoints.take(task, 1, CHECKPOINT);
        IncrementalRemoteKeyedStateHandle savepoint =
                TestCheckpoints.finish(checkpoints.begin(task, 2, NATIVE_SAVEPOINT));
        assertThat(references(savepoint)).isZero();
        // A savepoint does not disturb the chain of checkpoints.
        task.backend().notifyCheckpointComplete(2);
        IncrementalRemoteKeyedStateHandle next =
                TestCheckpoints.finish(checkpoints.begin(task, 3, CHECKPOINT));
        assertThat(references(next)).isEqualTo(next.getSharedState().size());
        checkpoints.complete(3, List.of(next));
        checkpoints.complete(4, List.of());
        task.end();

        TestTasks.Task restored = tasks.start(savepoint);
        assertAll(restored, 7);
        restored.end();
        savepoint.discardState();
    }

    @Test
    void severalCheckpointsInFlightDoNotDisturbEachOther() throws Exception {
        TestTasks.Task task = tasks.start();
        write(task, 1);
        RunnableFuture<SnapshotResult<KeyedStateHandle>> first =
                checkpoints.begin(task, 1, CHECKPOINT);
        write(task, 2);
        RunnableFuture<SnapshotResult<KeyedStateHandle>> second =
                checkpoints.begin(task, 2, CHECKPOINT);
        write(task, 3);

        IncrementalRemoteKeyedStateHandle later = TestCheckpoints.finish(second);
        IncrementalRemoteKeyedStateHandle earlier = TestCheckpoints.finish(first);
        task.end();

        TestTasks.Task ofEarlier = tasks.start(earlier);
        assertAll(ofEarlier, 1);
        ofEarlier.end();
        assertAll(tasks.start(later), 2);
        earlier.discardState();
        later.discardState();
    }

    @Test
    void anAbortedCheckpointLeavesNoFilesAndIsNotReferredTo() throws Exception {
        TestTasks.Task task = tasks.start();
        write(task, 1);
        IncrementalRemoteKeyedStateHandle aborted =
                TestCheckpoints.finish(checkpoints.begin(task, 1, CHECKPOINT));
        aborted.discardState();
        task.backend().notifyCheckpointAborted(1);
        assertThat(TestCheckpoints.files(remote)).isEmpty();

        IncrementalRemoteKeyedStateHandle next = checkpoints.take(task, 2, CHECKPOINT);

        task.end();
        assertAll(tasks.start(next), 1);
    }

    @Test
    void aCancelledCheckpointReleasesItsSegments() throws Exception {
        TestTasks.Task task = tasks.start();
        write(task, 1);
        RunnableFuture<SnapshotResult<KeyedStateHandle>> never =
                checkpoints.begin(task, 1, CHECKPOINT);
        RunnableFuture<SnapshotResult<KeyedStateHandle>> cancelled =
                checkpoints.begin(task, 2, CHECKPOINT);

        cancelled.cancel(true);
        task.end();

        assertThat(never.isCancelled()).isTrue();
        assertThat(TestCheckpoints.files(remote)).isEmpty();
    }

    @Test
    void carriesOnStatesThatNobodyAsksFor() throws Exception {
        TestTasks.Task task = tasks.start();
        write(task, 7);
        KeyedStateHandle first = checkpoints.take(task, 1, CHECKPOINT);
        task.end();
        TestTasks.Task other = tasks.start(first);
        KeyedStateHandle second = checkpoints.take(other, 2, CHECKPOINT);
        other.end();

        assertAll(tasks.start(second), 7);
    }

    @Test
    void aBackendWithoutStateHasNothingToRestore() throws Exception {
        TestTasks.Task task = tasks.start();
        RunnableFuture<SnapshotResult<KeyedStateHandle>> snapshot =
                checkpoints.begin(task, 1, CHECKPOINT);
        snapshot.run();

        assertThat(snapshot.get().getJobManagerOwnedSnapshot()).isNull();
        assertThat(TestCheckpoints.files(remote)).isEmpty();
    }

    /** Nobody could tell which of the two is the newer. */
    @Test
    void refusesTwoHandlesWithTheSameKeyGroups() throws Exception {
        TestTasks.Task task = tasks.start();
        write(task, 7);
        KeyedStateHandle first = checkpoints.take(task, 1, CHECKPOINT);
        write(task, 8);
        IncrementalRemoteKeyedStateHandle second =
                TestCheckpoints.finish(checkpoints.begin(task, 2, CHECKPOINT));
        task.end();

        assertThatThrownBy(() -> tasks.start(1, 2, List.of(first, second)))
                .isInstanceOf(BackendBuildingException.class)
                .hasMessageContaining("restore one of the two");
        checkpoints.complete(2, List.of(second));
    }

    @Test
    void restoresTimersOfItsKeyGroups() throws Exception {
        TestTasks.Task task = tasks.start();
        for (int key = 0; key < 100; key++) {
            timers(task).add(new TimerHeapInternalTimer<>(1000 - key, key, VoidNamespace.INSTANCE));
        }
        KeyedStateHandle handle = checkpoints.take(task, 1, CHECKPOINT);
        task.end();

        int found = 0;
        for (int i = 0; i < 2; i++) {
            TestTasks.Task half = tasks.start(i, 2, List.of(handle));
            long last = 0;
            for (var timer = timers(half).poll(); timer != null; timer = timers(half).poll()) {
                assertThat(TestTasks.taskOf(timer.getKey(), 2)).isEqualTo(i);
                assertThat(timer.getTimestamp()).isGreaterThan(last);
                last = timer.getTimestamp();
                found++;
            }
        }
        assertThat(found).isEqualTo(100);
    }

    private final Map<
                    TestTasks.Task,
                    KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<Integer, VoidNamespace>>>
            timerQueues = new HashMap<>();

    private KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<Integer, VoidNamespace>> timers(
            TestTasks.Task task) {
        return timerQueues.computeIfAbsent(
                task,
                t ->
                        t.backend()
                                .create(
                                        "timers",
                                        new TimerSerializer<>(
                                                IntSerializer.INSTANCE,
                                                VoidNamespaceSerializer.INSTANCE)));
    }

    private static long sharedBytes(IncrementalRemoteKeyedStateHandle handle) {
        return handle.getSharedState().stream().mapToLong(file -> file.getStateSize()).sum();
    }

    private static ValueState<Long> counter(TestTasks.Task task) throws Exception {
        return task.backend()
                .getPartitionedState(
                        VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, COUNTER);
    }

    private static void write(TestTasks.Task task, long value) throws Exception {
        for (int key = 0; key < KEYS; key++) {
            put(task, key, value);
        }
    }

    private static void put(TestTasks.Task task, int key, long value) throws Exception {
        task.backend().setCurrentKey(key);
        counter(task).update(value);
    }

    private static long get(TestTasks.Task task, int key) throws Exception {
        task.backend().setCurrentKey(key);
        return counter(task).value();
    }

    private static void assertAll(TestTasks.Task task, long value) throws Exception {
        for (int key = 0; key < KEYS; key++) {
            assertThat(get(task, key)).as("key %d", key).isEqualTo(value);
        }
    }
}
