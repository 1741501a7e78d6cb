/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.RunnableFuture;
import java.util.function.Consumer;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.checkpoint.SnapshotType;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random lives of a job: changes, checkpoints that complete, are aborted or overlap, native
 * savepoints, failures, changes of parallelism, with and without claiming the old checkpoint. What
 * is restored must be what a plain map says, no file may be missing and none may be left over.
 *
 * <p>Replay with {@code -Dstrata.test.seed=<seed>}, more cases with {@code -Dstrata.test.cases}.
 */
class RescaleModelTest {

    private static final long FIRST_SEED = 7_000;
    private static final int STEPS = 60;
    private static final int KEYS = 400;
    private static final int MAX_PARALLELISM = 5;

    @TempDir Path directory;

    @Test
    void restoresWhatTheModelSays() throws Exception {
        Long replayed = Long.getLong("strata.test.seed");
        int cases = replayed != null ? 1 : Integer.getInteger("strata.test.cases", 6);
        for (int i = 0; i < cases; i++) {
            long seed = replayed != null ? replayed : FIRST_SEED + i;
            try {
                new Life(seed, Files.createDirectories(directory.resolve("life-" + seed))).live();
            } catch (AssertionError | Exception e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static final class Life {
        private final Random random;
        private final Path directory;
        private final Path local;
        private final TestTasks starter;
        private final Map<Integer, String> model = new HashMap<>();
        private final List<TestTasks.Task> tasks = new ArrayList<>();

        private Path jobDirectory;
        private TestCheckpoints checkpoints;
        private Map<Integer, String> atLatest = Map.of();
        private boolean mustBeFull;
        private int jobs;
        private long nextCheckpoint = 1;

        Life(long seed, Path directory) throws IOException {
            this.random = new Random(seed);
            this.directory = directory;
            this.local = Files.createDirectories(directory.resolve("local"));
            StrataStateBackend backend =
                    new StrataStateBackend()
                            .set(StrataOptions.HOT_SIZE, MemorySize.parse("64kb"))
                            .set(StrataOptions.DEBUG_FLUSH_EVERY_OPERATIONS, random.nextInt(3) * 50)
                            .set(StrataOptions.DEBUG_EVICT_ALL, random.nextBoolean())
                            .set(StrataOptions.DEBUG_COMPACT_EVERY_FLUSH, random.nextBoolean());
            this.starter = new TestTasks(backend, local);
        }

        void live() throws Exception {
            newJob();
            start(1 + random.nextInt(MAX_PARALLELISM));
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(8)) {
                    case 0, 1, 2 -> change();
                    case 3, 4, 5 -> checkpoint();
                    case 6 -> savepoint();
                    default -> restart();
                }
            }
            restart();
            end();
            checkpoints.discardLatestAndExpectNoFiles();
            assertThat(local).isEmptyDirectory();
        }

        private void change() throws Exception {
            for (int i = random.nextInt(300); i > 0; i--) {
                int key = random.nextInt(KEYS);
                TestTasks.Task task = tasks.get(TestTasks.taskOf(key, tasks.size()));
                task.backend().setCurrentKey(key);
                if (random.nextInt(5) == 0) {
                    state(task).clear();
                    model.remove(key);
                } else {
                    String value = "value " + random.nextInt() + "x".repeat(random.nextInt(50));
                    state(task).update(value);
                    model.put(key, value);
                }
            }
        }

        private void checkpoint() throws Exception {
            long id = nextCheckpoint++;
            SnapshotType type =
                    mustBeFull ? TestCheckpoints.FULL_CHECKPOINT : TestCheckpoints.CHECKPOINT;
            Map<Integer, String> atBarrier = Map.copyOf(model);
            List<KeyedStateHandle> handles = snapshotAll(id, type);
            if (random.nextInt(4) == 0) {
                TestCheckpoints.discard(handles);
                notifyTasks(task -> task.backend().notifyCheckpointAborted(id));
                return;
            }
            checkpoints.complete(id, handles);
            atLatest = atBarrier;
            mustBeFull = false;
            if (random.nextInt(4) != 0) {
                notifyTasks(task -> task.backend().notifyCheckpointComplete(id));
            }
        }

        /** Synchronous parts first, changes meanwhile, then the asynchronous parts. */
        private List<KeyedStateHandle> snapshotAll(long id, SnapshotType type) throws Exception {
            List<RunnableFuture<SnapshotResult<KeyedStateHandle>>> running = new ArrayList<>();
            for (TestTasks.Task task : tasks) {
                running.add(checkpoints.begin(task, id, type));
            }
            if (random.nextBoolean()) {
                change();
            }
            List<KeyedStateHandle> handles = new ArrayList<>();
            for (RunnableFuture<SnapshotResult<KeyedStateHandle>> snapshot : running) {
                handles.add(TestCheckpoints.finish(snapshot));
            }
            return handles;
        }

        /** Moves to another job, from a savepoint that is deleted once that has started. */
        private void savepoint() throws Exception {
            if (random.nextBoolean()) {
                return;
            }
            Map<Integer, String> atBarrier = Map.copyOf(model);
            List<KeyedStateHandle> handles =
                    snapshotAll(nextCheckpoint++, TestCheckpoints.NATIVE_SAVEPOINT);
            end();
            model.clear();
            model.putAll(atBarrier);
            Path oldJob = jobDirectory;
            newJob();
            startFrom(1 + random.nextInt(MAX_PARALLELISM), handles);
            moveOn(oldJob);
        }

        /** Fails and restores the last checkpoint, claimed or as the start of a new job. */
        private void restart() throws Exception {
            end();
            model.clear();
            model.putAll(atLatest);
            int parallelism = 1 + random.nextInt(MAX_PARALLELISM);
            List<KeyedStateHandle> handles = checkpoints.latest().handles();
            if (random.nextInt(3) > 0 || handles.isEmpty()) {
                startFrom(parallelism, handles);
                return;
            }
            Path oldJob = jobDirectory;
            newJob();
            startFrom(parallelism, handles);
            moveOn(oldJob);
        }

        /** Without claim, the first checkpoint is full; after it the old job's files may go. */
        private void moveOn(Path oldJob) throws Exception {
            mustBeFull = true;
            while (mustBeFull) {
                checkpoint();
            }
            deleteAll(oldJob);
        }

        private void newJob() throws IOException {
            jobDirectory = Files.createDirectories(directory.resolve("job-" + jobs++));
            checkpoints = new TestCheckpoints(jobDirectory);
        }

        private void start(int parallelism) throws Exception {
            startFrom(parallelism, List.of());
        }

        private void startFrom(int parallelism, List<KeyedStateHandle> handles) throws Exception {
            for (int i = 0; i < parallelism; i++) {
                tasks.add(starter.start(i, parallelism, handles));
            }
            for (int key = 0; key < KEYS; key++) {
                TestTasks.Task task = tasks.get(TestTasks.taskOf(key, parallelism));
                task.backend().setCurrentKey(key);
                assertThat(state(task).value()).as("key %d", key).isEqualTo(model.get(key));
            }
        }

        private void end() {
            tasks.forEach(TestTasks.Task::end);
            tasks.clear();
        }

        private void notifyTasks(Consumer<TestTasks.Task> notification) {
            tasks.forEach(notification);
        }

        private static ValueState<String> state(TestTasks.Task task) throws Exception {
            return task.backend()
                    .getPartitionedState(
                            VoidNamespace.INSTANCE,
                            VoidNamespaceSerializer.INSTANCE,
                            new ValueStateDescriptor<>("value", StringSerializer.INSTANCE));
        }

        private static void deleteAll(Path directory) throws IOException {
            Files.walkFileTree(
                    directory,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                                throws IOException {
                            Files.delete(file);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        }
    }
}
