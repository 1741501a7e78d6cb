/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RunnableFuture;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.CheckpointProperties;
import org.apache.flink.runtime.checkpoint.CheckpointRetentionPolicy;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.CheckpointsCleaner;
import org.apache.flink.runtime.checkpoint.CompletedCheckpoint;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.StandaloneCompletedCheckpointStore;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.CheckpointMetadataOutputStream;
import org.apache.flink.runtime.state.CheckpointStorageLocation;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.CompletedCheckpointStorageLocation;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStorageAccess;
import org.apache.flink.util.InstantiationUtil;

/**
 * Does for one task what Flink's coordinator of checkpoints does: on Flink's storage, store of
 * completed checkpoints, registry of shared files and cleaner.
 */
final class TestCoordinator {

    private static final int BUFFER_BYTES = 512;

    private final FsCheckpointStorageAccess storage;
    private final StandaloneCompletedCheckpointStore store;
    private final CheckpointsCleaner cleaner = new CheckpointsCleaner();
    private final OperatorID operator = new OperatorID();
    private final JobID job = new JobID();
    private long begun;

    /** A checkpoint that is not decided. */
    record Pending(long id, CheckpointStorageLocation location, CheckpointStreamFactory streams) {}

    TestCoordinator(Path directory, int retained) throws IOException {
        storage =
                new FsCheckpointStorageAccess(
                        new org.apache.flink.core.fs.Path(directory.toUri()),
                        null,
                        job,
                        0,
                        BUFFER_BYTES);
        storage.initializeBaseLocationsForCheckpoint();
        store = new StandaloneCompletedCheckpointStore(retained);
    }

    /** Returns how many checkpoints were begun. */
    long begun() {
        return begun;
    }

    Pending begin() throws IOException {
        long id = ++begun;
        CheckpointStorageLocation location = storage.initializeLocationForCheckpoint(id);
        return new Pending(
                id,
                location,
                storage.resolveCheckpointStorageLocation(id, location.getLocationReference()));
    }

    RunnableFuture<SnapshotResult<KeyedStateHandle>> snapshot(
            TestTasks.Task task, Pending pending, CheckpointStreamFactory streams)
            throws Exception {
        return task.backend()
                .snapshot(
                        pending.id(),
                        0,
                        streams,
                        new CheckpointOptions(
                                TestCheckpoints.CHECKPOINT,
                                pending.location().getLocationReference()));
    }

    /** Takes a whole native savepoint, without metadata. */
    IncrementalRemoteKeyedStateHandle savepoint(TestTasks.Task task, Path directory)
            throws Exception {
        long id = ++begun;
        CheckpointStorageLocation location =
                storage.initializeLocationForSavepoint(id, directory.toUri().toString());
        CheckpointStreamFactory streams =
                storage.resolveCheckpointStorageLocation(id, location.getLocationReference());
        IncrementalRemoteKeyedStateHandle handle =
                TestCheckpoints.finish(
                        task.backend()
                                .snapshot(
                                        id,
                                        0,
                                        streams,
                                        new CheckpointOptions(
                                                TestCheckpoints.NATIVE_SAVEPOINT,
                                                location.getLocationReference())));
        task.backend().notifyCheckpointComplete(id);
        return handle;
    }

    /** Completes a checkpoint, subsumes those beyond the number to keep, and cleans up. */
    void complete(Pending pending, KeyedStateHandle sent) throws Exception {
        OperatorState state =
                new OperatorState("operator", null, operator, 1, TestTasks.KEY_GROUPS);
        state.putState(
                0,
                OperatorSubtaskState.builder()
                        .setManagedKeyedState(InstantiationUtil.clone(sent))
                        .build());
        Map<OperatorID, OperatorState> states = Map.of(operator, state);
        store.getSharedStateRegistry().registerAll(states.values(), pending.id());
        store.addCheckpointAndSubsumeOldestOne(
                new CompletedCheckpoint(
                        job,
                        pending.id(),
                        0,
                        0,
                        states,
                        List.of(),
                        CheckpointProperties.forCheckpoint(
                                CheckpointRetentionPolicy.NEVER_RETAIN_AFTER_TERMINATION),
                        writeMetadata(pending, state),
                        null),
                cleaner,
                () -> {});
    }

    private static CompletedCheckpointStorageLocation writeMetadata(
            Pending pending, OperatorState state) throws IOException {
        try (CheckpointMetadataOutputStream out = pending.location().createMetadataOutputStream()) {
            Checkpoints.storeCheckpointMetadata(
                    new CheckpointMetadata(pending.id(), List.of(state), List.of()), out);
            return out.closeAndFinalizeCheckpoint();
        }
    }

    /** Gives a checkpoint up; what a task sent for it, perhaps too late, is discarded. */
    void abort(Pending pending, KeyedStateHandle sent) throws Exception {
        if (sent != null) {
            InstantiationUtil.clone(sent).discardState();
        }
        pending.location().disposeOnFailure();
    }

    /** Returns the handles of the last completed checkpoint, as they are sent to a task. */
    List<KeyedStateHandle> latest() throws Exception {
        List<KeyedStateHandle> handles = new ArrayList<>();
        List<CompletedCheckpoint> all = store.getAllCheckpoints();
        if (!all.isEmpty()) {
            for (KeyedStateHandle handle : keyedState(all.get(all.size() - 1)).toList()) {
                handles.add(InstantiationUtil.clone(handle));
            }
        }
        return handles;
    }

    /** Returns all files that completed checkpoints refer to, and their metadata. */
    List<Path> liveFiles() throws Exception {
        List<Path> files = new ArrayList<>();
        for (CompletedCheckpoint checkpoint : store.getAllCheckpoints()) {
            files.add(fileOf(checkpoint.getMetadataHandle()));
            keyedState(checkpoint)
                    .forEach(h -> files.addAll(filesOf((IncrementalRemoteKeyedStateHandle) h)));
        }
        return files.stream().distinct().toList();
    }

    static List<Path> filesOf(IncrementalRemoteKeyedStateHandle handle) {
        return handle.streamSubHandles().map(TestCoordinator::fileOf).toList();
    }

    private static Path fileOf(StreamStateHandle handle) {
        return Path.of(((FileStateHandle) handle).getFilePath().toUri().getPath());
    }

    private Stream<KeyedStateHandle> keyedState(CompletedCheckpoint checkpoint) {
        return checkpoint
                .getOperatorStates()
                .get(operator)
                .getState(0)
                .getManagedKeyedState()
                .stream();
    }

    /** Ends the job, which keeps no checkpoint. */
    void finish() throws Exception {
        store.shutdown(JobStatus.FINISHED, cleaner);
    }
}
