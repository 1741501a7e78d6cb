/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.snapshot;

import io.strata.flink.checkpoint.transfer.CheckpointTarget;
import io.strata.flink.checkpoint.transfer.LocalCopy;
import io.strata.flink.checkpoint.transfer.SegmentUploader;
import io.strata.flink.io.StorageDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.annotation.Nullable;
import org.apache.flink.runtime.state.DirectoryStateHandle;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalLocalKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.LocalSnapshotDirectoryProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the task-local copies of one backend's checkpoints, from which a task recovers without
 * downloads (Flink's local recovery).
 *
 * @param provider Flink's choice of directories
 * @param factory opens directories
 * @param backendId keeps apart what several operators of one task copy for the same checkpoint
 */
public record LocalCopies(
        LocalSnapshotDirectoryProvider provider, Factory factory, UUID backendId) {

    private static final Logger LOG = LoggerFactory.getLogger(LocalCopies.class);

    /** Makes and opens an empty directory. */
    @FunctionalInterface
    public interface Factory {
        StorageDirectory create(Path path) throws IOException;
    }

    /**
     * What to copy of a checkpoint.
     *
     * @param checkpointId its id
     * @param keyGroups the key groups of the backend
     * @param segments the segments by the names that the checkpoint has for them
     * @param sharedFiles the remote files that later checkpoints may refer to
     * @param timers writes the timers, or null when there are none
     * @param metadata the metadata
     */
    record Content(
            long checkpointId,
            KeyGroupRange keyGroups,
            Map<String, SegmentUploader.Source> segments,
            List<HandleAndLocalPath> sharedFiles,
            @Nullable CheckpointTarget.Content timers,
            byte[] metadata) {}

    /**
     * Copies a checkpoint.
     *
     * @return the copy, or null after a failure, which is logged: the checkpoint does not need it
     */
    @Nullable
    IncrementalLocalKeyedStateHandle copy(Content content) {
        LocalCopy copy = null;
        try {
            copy = begin(content.checkpointId());
            for (Map.Entry<String, SegmentUploader.Source> s : content.segments().entrySet()) {
                copy.addSegment(s.getValue(), s.getKey());
            }
            if (content.timers() != null) {
                copy.writeTimers(content.timers());
            }
            copy.writeMetadata(content.metadata());
            DirectoryStateHandle directory = copy.complete();
            return new IncrementalLocalKeyedStateHandle(
                    backendId,
                    content.checkpointId(),
                    directory,
                    content.keyGroups(),
                    copy.metadata(),
                    content.sharedFiles());
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "Could not make the task-local copy of checkpoint {}. The checkpoint does not need it, a recovery from it downloads its files.",
                    content.checkpointId(),
                    e);
            discard(copy);
            return null;
        }
    }

    private LocalCopy begin(long checkpointId) throws IOException {
        Path directory =
                provider.subtaskSpecificCheckpointDirectory(checkpointId)
                        .toPath()
                        .toAbsolutePath()
                        .resolve("strata_" + backendId);
        return new LocalCopy(directory, factory.create(directory));
    }

    private static void discard(@Nullable LocalCopy copy) {
        if (copy != null) {
            try {
                copy.discard();
            } catch (IOException e) {
                LOG.warn("Could not delete an unfinished task-local copy of a checkpoint.", e);
            }
        }
    }
}
