/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static io.strata.flink.TestCheckpoints.references;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.filemerging.FileMergingSnapshotManager;
import org.apache.flink.runtime.checkpoint.filemerging.FileMergingSnapshotManager.SubtaskKey;
import org.apache.flink.runtime.checkpoint.filemerging.FileMergingSnapshotManagerBuilder;
import org.apache.flink.runtime.checkpoint.filemerging.FileMergingType;
import org.apache.flink.runtime.checkpoint.filemerging.SubtaskFileMergingManagerRestoreOperation;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SharedStateRegistryImpl;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.filemerging.EmptyFileMergingOperatorStreamStateHandle;
import org.apache.flink.runtime.state.filemerging.SegmentFileStateHandle;
import org.apache.flink.runtime.state.filesystem.FsMergingCheckpointStorageAccess;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checkpoints whose files Flink merges into larger ones, within and across checkpoints ({@code
 * execution.checkpointing.file-merging.*}), incremental or not.
 */
class FileMergingTest {

    private static final long SEED = 77;
    private static final int CHECKPOINTS = 16;
    private static final int KEYS = 200;
    private static final int MAX_FILE_BYTES = 20_000;

    @TempDir Path scratch;
    @TempDir Path remote;

    private final JobID job = new JobID();
    private final Random random = new Random(SEED);
    private final Map<Integer, String> model = new HashMap<>();
    private TestTasks tasks;
    private TestTasks.Task task;
    private FileMergingSnapshotManager manager;
    private FsMergingCheckpointStorageAccess storage;
    private SharedStateRegistryImpl registry;

    @BeforeEach
    void setUp() {
        registry = new SharedStateRegistryImpl();
    }

    @AfterEach
    void leavesNothing() {
        tasks.close();
        assertThat(scratch).isEmptyDirectory();
    }

    @ParameterizedTest
    @CsvSource({
        "MERGE_WITHIN_CHECKPOINT, true",
        "MERGE_ACROSS_CHECKPOINT, true",
        "MERGE_WITHIN_CHECKPOINT, false",
        "MERGE_ACROSS_CHECKPOINT, false"
    })
    void keepsExactlyWhatIsNeeded(FileMergingType type, boolean incremental) throws Exception {
        tasks = tasks(incremental);
        begin(type);
        long referred = 0;
        long latest = 0;
        IncrementalRemoteKeyedStateHandle handle = null;
        for (long id = 1; id <= CHECKPOINTS; id++) {
            change();
            Map<Integer, String> atBarrier = Map.copyOf(model);
            RunnableFuture<SnapshotResult<KeyedStateHandle>> running = snapshot(id);
            change();
            IncrementalRemoteKeyedStateHandle taken = TestCheckpoints.finish(running);
            if (random.nextInt(4) == 0) {
                abort(taken, id);
                continue;
            }
            referred += references(taken);
            complete(taken, id, latest, handle);
            latest = id;
            handle = taken;
            assertThat(allMerged(handle)).isTrue();
            assertRestores(handle, atBarrier);
            if (random.nextInt(5) == 0) {
                restart(type, handle, id, atBarrier);
            }
        }
        assertThat(referred > 0).isEqualTo(incremental);
        registry.unregisterUnusedState(CHECKPOINTS + 1);
        manager.notifyCheckpointSubsumed(subtask(), CHECKPOINTS);
        task.end();
        storage.close();
        manager.close();
        assertThat(TestCheckpoints.files(remote)).isEmpty();
    }

    /** A file that tasks of another parallelism wrote goes with the directories of those tasks. */
    @ParameterizedTest
    @CsvSource({"MERGE_WITHIN_CHECKPOINT", "MERGE_ACROSS_CHECKPOINT"})
    void doesNotReferToMergedFilesOfAnotherParallelism(FileMergingType type) throws Exception {
        tasks = tasks(true);
        begin(type);
        change();
        IncrementalRemoteKeyedStateHandle whole = TestCheckpoints.finish(snapshot(1));
        complete(whole, 1, 0, null);
        task.end();

        task = tasks.start(0, 2, List.of(whole));
        restoreManager(whole, 1);
        IncrementalRemoteKeyedStateHandle half = TestCheckpoints.finish(snapshot(2));

        assertThat(half.getSharedState()).isNotEmpty();
        assertThat(references(half)).isZero();
        task.end();
    }

    private TestTasks tasks(boolean incremental) {
        StrataStateBackend backend =
                new StrataStateBackend()
                        .set(StrataOptions.HOT_SIZE, MemorySize.parse("64kb"))
                        .set(StrataOptions.DEBUG_FLUSH_EVERY_OPERATIONS, 100);
        Map<String, String> config =
                Map.of("execution.checkpointing.incremental", String.valueOf(incremental));
        return new TestTasks(backend, scratch, Configuration.fromMap(config));
    }

    private void begin(FileMergingType type) throws Exception {
        task = tasks.start();
        openStorage(type);
    }

    private void openStorage(FileMergingType type) throws Exception {
        manager =
                new FileMergingSnapshotManagerBuilder(job, ResourceID.generate(), type)
                        .setMaxFileSize(MAX_FILE_BYTES)
                        .build();
        storage =
                new FsMergingCheckpointStorageAccess(
                        new org.apache.flink.core.fs.Path(remote.toUri()),
                        null,
                        job,
                        0,
                        1024,
                        manager,
                        task.environment());
        Files.createDirectories(remote.resolve(job.toHexString()));
        storage.initializeBaseLocationsForCheckpoint();
    }

    private SubtaskKey subtask() {
        return SubtaskKey.of(task.environment());
    }

    private RunnableFuture<SnapshotResult<KeyedStateHandle>> snapshot(long id) throws Exception {
        CheckpointStorageLocationReference location =
                CheckpointStorageLocationReference.getDefault();
        CheckpointStreamFactory streams = storage.resolveCheckpointStorageLocation(id, location);
        manager.notifyCheckpointStart(subtask(), id);
        return task.backend()
                .snapshot(
                        id,
                        0,
                        streams,
                        new CheckpointOptions(TestCheckpoints.CHECKPOINT, location));
    }

    private void complete(
            IncrementalRemoteKeyedStateHandle taken,
            long id,
            long subsumed,
            IncrementalRemoteKeyedStateHandle before)
            throws Exception {
        taken.registerSharedStates(registry, id);
        // Operator state brings the directories to the job manager.
        EmptyFileMergingOperatorStreamStateHandle.create(
                        manager.getManagedDirStateHandle(
                                subtask(), CheckpointedStateScope.EXCLUSIVE),
                        manager.getManagedDirStateHandle(subtask(), CheckpointedStateScope.SHARED))
                .registerSharedStates(registry, id);
        registry.unregisterUnusedState(id);
        task.backend().notifyCheckpointComplete(id);
        manager.notifyCheckpointComplete(subtask(), id);
        if (before != null) {
            before.discardState();
            manager.notifyCheckpointSubsumed(subtask(), subsumed);
        }
    }

    private void abort(IncrementalRemoteKeyedStateHandle taken, long id) throws Exception {
        taken.discardState();
        task.backend().notifyCheckpointAborted(id);
        manager.notifyCheckpointAborted(subtask(), id);
    }

    /** Fails and starts again in another process. */
    private void restart(
            FileMergingType type,
            IncrementalRemoteKeyedStateHandle handle,
            long id,
            Map<Integer, String> atBarrier)
            throws Exception {
        task.end();
        storage.close();
        manager.close();
        model.clear();
        model.putAll(atBarrier);
        task = tasks.start(handle);
        openStorage(type);
        restoreManager(handle, id);
    }

    private void restoreManager(IncrementalRemoteKeyedStateHandle handle, long id) {
        new SubtaskFileMergingManagerRestoreOperation(
                        id,
                        manager,
                        task.environment().getJobID(),
                        task.environment().getTaskInfo(),
                        task.environment().getJobVertexId(),
                        OperatorSubtaskState.builder().setManagedKeyedState(handle).build())
                .restore();
    }

    private void assertRestores(
            IncrementalRemoteKeyedStateHandle handle, Map<Integer, String> expected)
            throws Exception {
        TestTasks.Task restored = tasks.start(InstantiationUtil.clone(handle));
        for (int key = 0; key < KEYS; key++) {
            restored.backend().setCurrentKey(key);
            assertThat(state(restored).value()).isEqualTo(expected.get(key));
        }
        restored.end();
    }

    private static boolean allMerged(IncrementalRemoteKeyedStateHandle handle) {
        return handle.streamSubHandles()
                .map(StreamStateHandle.class::cast)
                .allMatch(SegmentFileStateHandle.class::isInstance);
    }

    private void change() throws Exception {
        for (int i = random.nextInt(200); i >= 0; i--) {
            int key = random.nextInt(KEYS);
            task.backend().setCurrentKey(key);
            String value = "value " + random.nextInt() + "x".repeat(random.nextInt(100));
            state(task).update(value);
            model.put(key, value);
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
