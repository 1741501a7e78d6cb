/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A thousand incremental checkpoints of a small state that changes, on Flink's own checkpoint
 * storage, store of completed checkpoints and registry of shared files: with several in flight,
 * aborts, a storage that fails at random, completion notices that come late or never, native
 * savepoints in between, and restores. After each completion the storage holds exactly the files
 * that live checkpoints refer to, at the end none.
 *
 * <p>Replay with {@code -Dstrata.test.seed=<seed>}, more or fewer checkpoints with {@code
 * -Dstrata.test.checkpoints}.
 */
class CheckpointLifeTest {

    private static final int KEYS = 60;
    private static final int MAX_IN_FLIGHT = 3;
    private static final int FAILING_OPERATION_ONE_IN = 150;

    private final long seed = Long.getLong("strata.test.seed", 31_337);
    private final Random random = new Random(seed);
    private final Map<Integer, String> model = new HashMap<>();
    private final List<InFlight> inFlight = new ArrayList<>();
    private final List<Long> lateNotices = new ArrayList<>();
    private final AtomicInteger plantedFailures = new AtomicInteger();

    @TempDir Path local;
    @TempDir Path remote;

    private TestCoordinator coordinator;
    private TestTasks tasks;
    private TestTasks.Task task;
    private Map<Integer, String> atLatest = Map.of();
    private int completed;
    private int failed;
    private int aborted;
    private int restores;
    private int savepoints;

    /** A checkpoint whose asynchronous part has not run yet. */
    private record InFlight(
            TestCoordinator.Pending pending,
            Map<Integer, String> atBarrier,
            RunnableFuture<SnapshotResult<KeyedStateHandle>> future) {}

    @Test
    void keepsExactlyTheFilesThatLiveCheckpointsReferTo() throws Exception {
        StrataStateBackend backend =
                new StrataStateBackend()
                        .set(StrataOptions.HOT_SIZE, MemorySize.parse("64kb"))
                        .set(StrataOptions.DEBUG_FLUSH_EVERY_OPERATIONS, 40)
                        .set(StrataOptions.TRANSFER_THREADS, 2);
        coordinator = new TestCoordinator(remote, seed % 4 == 3 ? 2 : 1);
        tasks = new TestTasks(backend, local);
        try {
            live(Integer.getInteger("strata.test.checkpoints", 1_000));
        } catch (AssertionError | Exception e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    private void live(int checkpoints) throws Exception {
        task = tasks.start();
        while (coordinator.begun() < checkpoints) {
            change();
            if (inFlight.size() < MAX_IN_FLIGHT) {
                begin();
            }
            switch (random.nextInt(12)) {
                case 0 -> abortOne();
                case 1, 2 -> notifyLate();
                case 3, 4 -> {}
                default -> runOne();
            }
            if (random.nextInt(40) == 0) {
                savepoint();
            }
            if (random.nextInt(60) == 0) {
                restart();
            }
        }
        restart();
        task.end();
        tasks.close();
        coordinator.finish();
        assertThat(TestCheckpoints.files(remote)).isEmpty();
        assertThat(local).isEmptyDirectory();
        System.out.printf(
                "%d completed, %d aborted, %d failed of %d planted, %d savepoints, %d restores%n",
                completed, aborted, failed, plantedFailures.get(), savepoints, restores);
        assertThat(completed).isGreaterThan(checkpoints / 4);
        assertThat(List.of(failed, aborted, savepoints, restores)).allMatch(count -> count > 2);
    }

    private void begin() throws Exception {
        TestCoordinator.Pending pending = coordinator.begin();
        boolean mayFail = random.nextInt(4) == 0;
        Random failures = new Random(random.nextLong());
        FailingStreams streams =
                new FailingStreams(pending.streams(), () -> mayFail && decideToFail(failures));
        inFlight.add(
                new InFlight(
                        pending, Map.copyOf(model), coordinator.snapshot(task, pending, streams)));
    }

    private boolean decideToFail(Random failures) {
        boolean fails;
        synchronized (failures) {
            fails = failures.nextInt(FAILING_OPERATION_ONE_IN / 10) == 0;
        }
        if (fails) {
            plantedFailures.incrementAndGet();
        }
        return fails;
    }

    /** Runs the asynchronous part of one checkpoint in flight; its result reaches the master. */
    private void runOne() throws Exception {
        if (inFlight.isEmpty()) {
            return;
        }
        InFlight one = inFlight.remove(random.nextInt(inFlight.size()));
        long id = one.pending().id();
        one.future().run();
        KeyedStateHandle handle;
        try {
            handle = one.future().get().getJobManagerOwnedSnapshot();
        } catch (ExecutionException e) {
            assertThat(e).hasRootCauseMessage("planted");
            failed++;
            coordinator.abort(one.pending(), null);
            maybeNotifyAborted(id);
            return;
        }
        if (random.nextInt(8) == 0) {
            aborted++;
            coordinator.abort(one.pending(), handle);
            maybeNotifyAborted(id);
            return;
        }
        coordinator.complete(one.pending(), handle);
        completed++;
        atLatest = one.atBarrier();
        dropOlderThan(id);
        if (random.nextInt(3) == 0) {
            lateNotices.add(id);
        } else {
            task.backend().notifyCheckpointComplete(id);
        }
        assertFiles();
    }

    /** The master gives up checkpoints that a later one has overtaken. */
    private void dropOlderThan(long id) throws Exception {
        for (InFlight older : List.copyOf(inFlight)) {
            if (older.pending().id() < id) {
                inFlight.remove(older);
                giveUp(older);
            }
        }
    }

    private void abortOne() throws Exception {
        if (!inFlight.isEmpty()) {
            giveUp(inFlight.remove(random.nextInt(inFlight.size())));
        }
    }

    /** Aborts before, while or after the task does its part. */
    private void giveUp(InFlight one) throws Exception {
        aborted++;
        KeyedStateHandle late = null;
        if (random.nextBoolean()) {
            one.future().cancel(true);
        } else {
            one.future().run();
            try {
                late = one.future().get().getJobManagerOwnedSnapshot();
            } catch (ExecutionException e) {
                assertThat(e).hasRootCauseMessage("planted");
            }
        }
        coordinator.abort(one.pending(), late);
        maybeNotifyAborted(one.pending().id());
    }

    private void maybeNotifyAborted(long id) {
        if (random.nextInt(5) > 0) {
            task.backend().notifyCheckpointAborted(id);
        }
    }

    private void notifyLate() {
        if (!lateNotices.isEmpty()) {
            task.backend().notifyCheckpointComplete(lateNotices.remove(0));
        }
    }

    /** A native savepoint has all its files in its own directory, and can be restored. */
    private void savepoint() throws Exception {
        Path directory = Files.createDirectories(local.resolveSibling("savepoint-" + savepoints));
        Map<Integer, String> atBarrier = Map.copyOf(model);
        IncrementalRemoteKeyedStateHandle handle = coordinator.savepoint(task, directory);
        savepoints++;
        assertThat(TestCoordinator.filesOf(handle))
                .allMatch(file -> file.startsWith(directory))
                .containsExactlyInAnyOrderElementsOf(TestCheckpoints.files(directory));
        TestTasks.Task restored = tasks.start(handle);
        assertState(restored, atBarrier);
        restored.end();
        handle.discardState();
        assertThat(TestCheckpoints.files(directory)).isEmpty();
    }

    private void restart() throws Exception {
        restores++;
        for (InFlight one : inFlight) {
            one.future().cancel(true);
            coordinator.abort(one.pending(), null);
        }
        inFlight.clear();
        lateNotices.clear();
        task.end();
        task = tasks.start(coordinator.latest().toArray(KeyedStateHandle[]::new));
        assertState(task, atLatest);
        model.clear();
        model.putAll(atLatest);
    }

    private void assertFiles() throws Exception {
        assertThat(TestCheckpoints.files(remote))
                .containsExactlyInAnyOrderElementsOf(coordinator.liveFiles());
    }

    private void change() throws Exception {
        for (int i = random.nextInt(8); i >= 0; i--) {
            int key = random.nextInt(KEYS);
            task.backend().setCurrentKey(key);
            if (random.nextInt(6) == 0) {
                state(task).clear();
                model.remove(key);
            } else {
                String value = "value " + random.nextInt();
                state(task).update(value);
                model.put(key, value);
            }
        }
    }

    private static void assertState(TestTasks.Task task, Map<Integer, String> expected)
            throws Exception {
        for (int key = 0; key < KEYS; key++) {
            task.backend().setCurrentKey(key);
            assertThat(state(task).value()).as("key %d", key).isEqualTo(expected.get(key));
        }
    }

    private static ValueState<String> state(TestTasks.Task task) throws Exception {
        return task.backend()
                .getPartitionedState(
                        VoidNamespace.INSTANCE,
                        VoidNamespaceSerializer.INSTANCE,
                        new ValueStateDescriptor<>("value", StringSerializer.INSTANCE));
    }
}
