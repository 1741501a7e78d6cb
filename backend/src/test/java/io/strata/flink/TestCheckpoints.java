/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RunnableFuture;
import java.util.stream.Stream;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.local.LocalFileSystem;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.CheckpointType;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.checkpoint.SnapshotType;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.PlaceholderStreamStateHandle;
import org.apache.flink.runtime.state.SharedStateRegistry;
import org.apache.flink.runtime.state.SharedStateRegistryImpl;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStreamFactory;
import org.apache.flink.util.InstantiationUtil;

/**
 * Plays the job manager: a directory of checkpoints, the registry of shared files, and what happens
 * to files when checkpoints complete, are aborted or subsumed.
 */
final class TestCheckpoints {

    static final SnapshotType CHECKPOINT = CheckpointType.CHECKPOINT;
    static final SnapshotType FULL_CHECKPOINT = CheckpointType.FULL_CHECKPOINT;
    static final SnapshotType NATIVE_SAVEPOINT =
            SavepointType.savepoint(SavepointFormatType.NATIVE);

    private static final int BUFFER_BYTES = 1 << 10;

    private final Path directory;
    private final SharedStateRegistry registry = new SharedStateRegistryImpl();
    private Completed latest = new Completed(0, List.of());

    /** A completed checkpoint. */
    record Completed(long id, List<KeyedStateHandle> handles) {}

    TestCheckpoints(Path directory) {
        this.directory = directory;
    }

    /** Begins a checkpoint of one task: the synchronous part. */
    RunnableFuture<SnapshotResult<KeyedStateHandle>> begin(
            TestTasks.Task task, long id, SnapshotType type) throws Exception {
        Path exclusive = Files.createDirectories(directory.resolve("chk-" + id));
        Path shared = Files.createDirectories(directory.resolve("shared"));
        FsCheckpointStreamFactory streams =
                new FsCheckpointStreamFactory(
                        LocalFileSystem.getSharedInstance(),
                        flinkPath(exclusive),
                        flinkPath(shared),
                        0,
                        BUFFER_BYTES);
        return task.backend()
                .snapshot(
                        id,
                        0,
                        streams,
                        new CheckpointOptions(
                                type, CheckpointStorageLocationReference.getDefault()));
    }

    /** Runs the asynchronous part and returns the handle as it arrives at the job manager. */
    static IncrementalRemoteKeyedStateHandle finish(
            RunnableFuture<SnapshotResult<KeyedStateHandle>> checkpoint) throws Exception {
        checkpoint.run();
        KeyedStateHandle handle = checkpoint.get().getJobManagerOwnedSnapshot();
        return (IncrementalRemoteKeyedStateHandle) InstantiationUtil.clone(handle);
    }

    /** Takes a whole checkpoint of one task, completes it and tells the task. */
    IncrementalRemoteKeyedStateHandle take(TestTasks.Task task, long id, SnapshotType type)
            throws Exception {
        IncrementalRemoteKeyedStateHandle handle = finish(begin(task, id, type));
        complete(id, List.of(handle));
        task.backend().notifyCheckpointComplete(id);
        return handle;
    }

    /** Completes a checkpoint: registers its files and forgets the one before. */
    void complete(long id, List<? extends KeyedStateHandle> handles) throws Exception {
        handles.forEach(handle -> handle.registerSharedStates(registry, id));
        Completed subsumed = latest;
        latest = new Completed(id, new ArrayList<>(handles));
        registry.unregisterUnusedState(id);
        discard(subsumed.handles());
    }

    /** Returns the last completed checkpoint. */
    Completed latest() {
        return latest;
    }

    /** Registers the files of a checkpoint of an earlier job, as when it is claimed. */
    void claim(Completed claimed) {
        claimed.handles().forEach(handle -> handle.registerSharedStates(registry, claimed.id()));
        latest = claimed;
    }

    static void discard(List<? extends KeyedStateHandle> handles) throws Exception {
        for (KeyedStateHandle handle : handles) {
            handle.discardState();
        }
    }

    /** Forgets the last checkpoint too: then no file may be left. */
    void discardLatestAndExpectNoFiles() throws Exception {
        registry.unregisterUnusedState(Long.MAX_VALUE);
        discard(latest.handles());
        latest = new Completed(latest.id(), List.of());
        assertThat(files(directory)).isEmpty();
    }

    /** Returns all files below a directory. */
    static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            return paths.filter(Files::isRegularFile).toList();
        }
    }

    /** Returns how many of a handle's segments are references to files of earlier checkpoints. */
    static long references(IncrementalRemoteKeyedStateHandle handle) {
        return handle.getSharedState().stream()
                .filter(file -> file.getHandle() instanceof PlaceholderStreamStateHandle)
                .count();
    }

    private static org.apache.flink.core.fs.Path flinkPath(Path path) {
        return new org.apache.flink.core.fs.Path(path.toUri());
    }
}
