/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.snapshot;

import io.strata.flink.checkpoint.files.RestoredFiles;
import io.strata.flink.checkpoint.snapshot.SnapshotOperation.Sharing;
import io.strata.flink.checkpoint.transfer.SegmentUploader;
import io.strata.flink.checkpoint.transfer.TransferPool;
import io.strata.flink.timers.TimerSnapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.SnapshotType.SharingFilesStrategy;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.SnapshotStrategy;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.util.ResourceGuard;

/**
 * Takes checkpoints, all of them incremental as far as Flink allows: an ordinary one refers to
 * files of the last completed one, the first one after a restore without claim and native
 * savepoints hold all files themselves.
 *
 * <p>Both methods of {@link SnapshotStrategy} run on the task thread; what they return runs on one
 * of Flink's snapshot threads. Notifications come on the task thread.
 */
public final class StrataSnapshotStrategy<K>
        implements SnapshotStrategy<KeyedStateHandle, PreparedSnapshot> {

    private static final boolean KEY_GROUP_COMPRESSION = false;

    private final SnapshotSource<K> source;
    private final CheckpointPolicy policy;
    private final UploadedSegments uploaded;
    private final SegmentUploader uploader;

    /**
     * Creates the strategy.
     *
     * @param restored the files of the checkpoint that the backend was restored from
     */
    public StrataSnapshotStrategy(
            SnapshotSource<K> source,
            CheckpointPolicy policy,
            RestoredFiles restored,
            TransferPool pool) {
        this.source = source;
        this.policy = policy;
        this.uploaded = new UploadedSegments();
        this.uploader = new SegmentUploader(pool);
        if (!restored.isEmpty()) {
            uploaded.restored(restored.checkpointId(), restored.filesBySerial());
        }
    }

    @Override
    public PreparedSnapshot syncPrepareResources(long checkpointId) throws IOException {
        TimerSnapshot timers = source.timers().snapshot();
        List<StateMetaInfoSnapshot> metaInfo = new ArrayList<>(source.stateMetaInfo().get());
        metaInfo.addAll(timers.metaInfo());
        if (metaInfo.isEmpty()) {
            return new PreparedSnapshot(null);
        }
        KeyedBackendSerializationProxy<K> metadata =
                new KeyedBackendSerializationProxy<>(
                        source.keySerializer(), metaInfo, KEY_GROUP_COMPRESSION);
        ResourceGuard.Lease lease = source.inUse().acquireResource();
        try {
            return new PreparedSnapshot(
                    new PreparedSnapshot.Content(
                            metadata,
                            source.schemas().get(),
                            source.store().snapshot(),
                            timers,
                            lease));
        } catch (RuntimeException | Error e) {
            lease.close();
            throw e;
        }
    }

    @Override
    public SnapshotResultSupplier<KeyedStateHandle> asyncSnapshot(
            PreparedSnapshot prepared,
            long checkpointId,
            long timestamp,
            CheckpointStreamFactory streamFactory,
            CheckpointOptions checkpointOptions) {
        if (prepared.isEmpty()) {
            return cancellation -> SnapshotResult.empty();
        }
        Sharing sharing = sharing(checkpointId, streamFactory, checkpointOptions);
        // Flink never recovers a task from a savepoint of its own job.
        boolean isCopied = !checkpointOptions.getCheckpointType().isSavepoint();
        return new SnapshotOperation(
                checkpointId,
                source,
                prepared.content(),
                sharing,
                streamFactory,
                uploader,
                isCopied ? policy.localCopies() : null);
    }

    private Sharing sharing(
            long checkpointId, CheckpointStreamFactory streamFactory, CheckpointOptions options) {
        SharingFilesStrategy strategy = options.getCheckpointType().getSharingFilesStrategy();
        if (!policy.incremental() && strategy != SharingFilesStrategy.NO_SHARING) {
            return Sharing.none(false);
        }
        return switch (strategy) {
            case FORWARD_BACKWARD ->
                    new Sharing(
                            uploaded,
                            uploaded.begin(checkpointId, streamFactory::couldReuseStateHandle),
                            true);
            case FORWARD ->
                    new Sharing(uploaded, uploaded.begin(checkpointId, file -> false), true);
            case NO_SHARING -> Sharing.none(true);
        };
    }

    /** Hears that a checkpoint is complete: later ones may refer to its files. */
    public void notifyCheckpointComplete(long checkpointId) {
        uploaded.completed(checkpointId);
    }

    /** Hears that a checkpoint was aborted: its files are gone. */
    public void notifyCheckpointAborted(long checkpointId) {
        uploaded.aborted(checkpointId);
    }
}
