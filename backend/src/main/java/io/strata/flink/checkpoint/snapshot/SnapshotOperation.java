/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.snapshot;

import io.strata.flink.checkpoint.files.RemoteFile;
import io.strata.flink.checkpoint.files.SnapshotMetadata;
import io.strata.flink.checkpoint.files.SnapshotMetadataFormat;
import io.strata.flink.checkpoint.transfer.CheckpointTarget;
import io.strata.flink.checkpoint.transfer.SegmentUploader;
import io.strata.flink.engine.StoreVersion;
import io.strata.flink.schema.SavedSchemas;
import io.strata.flink.segment.Segment;
import io.strata.flink.timers.TimerSnapshotFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import javax.annotation.Nullable;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.SnapshotStrategy.SnapshotResultSupplier;
import org.apache.flink.runtime.state.StateUtil;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot.BackendStateType;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot.CommonSerializerKeys;

/** The asynchronous part of one checkpoint: runs once, on one of Flink's snapshot threads. */
final class SnapshotOperation implements SnapshotResultSupplier<KeyedStateHandle> {

    private static final int INITIAL_METADATA_BYTES = 1 << 12;

    private final long checkpointId;
    private final SnapshotSource<?> source;
    private final PreparedSnapshot.Content content;
    private final Sharing sharing;
    private final CheckpointStreamFactory factory;
    private final SegmentUploader uploader;
    @Nullable private final LocalCopies localCopies;

    /**
     * Which files a checkpoint shares with others.
     *
     * @param uploaded learns of the files, or null when they belong to this checkpoint alone
     * @param reusable the files of earlier checkpoints that may be referred to, by segment serial
     * @param isOpen whether a job that claims the checkpoint may refer to its files; the handle
     *     lists them as private otherwise
     */
    record Sharing(
            @Nullable UploadedSegments uploaded,
            Map<Integer, RemoteFile> reusable,
            boolean isOpen) {

        /** Files that belong to one checkpoint alone. */
        static Sharing none(boolean isOpen) {
            return new Sharing(null, Map.of(), isOpen);
        }
    }

    SnapshotOperation(
            long checkpointId,
            SnapshotSource<?> source,
            PreparedSnapshot.Content content,
            Sharing sharing,
            CheckpointStreamFactory factory,
            SegmentUploader uploader,
            @Nullable LocalCopies localCopies) {
        this.checkpointId = checkpointId;
        this.source = source;
        this.content = content;
        this.sharing = sharing;
        this.factory = factory;
        this.uploader = uploader;
        this.localCopies = localCopies;
    }

    @Override
    public SnapshotResult<KeyedStateHandle> get(CloseableRegistry cancellation) throws Exception {
        CheckpointedStateScope scope =
                sharing.uploaded() == null
                        ? CheckpointedStateScope.EXCLUSIVE
                        : CheckpointedStateScope.SHARED;
        CheckpointTarget target = new CheckpointTarget(factory, scope, cancellation);
        KeyedStateHandle copy = null;
        boolean completed = false;
        try {
            StoreVersion version = content.store().await();
            if (cancellation.isClosed()) {
                throw cancelled();
            }
            List<RemoteFile> files = uploadMissing(version.segments(), target);
            byte[] metadata = metadata(version, files);
            KeyedStateHandle handle = writeHandle(files, metadata, target);
            copy = copy(version.segments(), files, metadata);
            if (cancellation.isClosed()) {
                throw cancelled();
            }
            report(version.segments(), files);
            completed = true;
            return copy == null
                    ? SnapshotResult.of(handle)
                    : SnapshotResult.withLocalState(handle, copy);
        } finally {
            if (!completed) {
                target.discardAll();
                StateUtil.discardStateObjectQuietly(copy);
                if (sharing.uploaded() != null) {
                    sharing.uploaded().aborted(checkpointId);
                }
            }
        }
    }

    private CancellationException cancelled() {
        return new CancellationException("checkpoint " + checkpointId + " was cancelled");
    }

    /** Returns a file for every segment: one to refer to, or else a new one. */
    private List<RemoteFile> uploadMissing(List<Segment> segments, CheckpointTarget target)
            throws Exception {
        List<SegmentUploader.Source> missing = new ArrayList<>();
        for (Segment segment : segments) {
            if (!sharing.reusable().containsKey(segment.serial())) {
                missing.add(new SegmentUploader.Source(segment, source.directories().of(segment)));
            }
        }
        List<RemoteFile> uploads = uploader.upload(missing, target);
        List<RemoteFile> files = new ArrayList<>(segments.size());
        int next = 0;
        for (Segment segment : segments) {
            RemoteFile known = sharing.reusable().get(segment.serial());
            files.add(known != null ? known : uploads.get(next++));
        }
        return files;
    }

    private byte[] metadata(StoreVersion version, List<RemoteFile> files) throws IOException {
        DataOutputSerializer flinkMetadata = new DataOutputSerializer(INITIAL_METADATA_BYTES);
        content.metadata().write(flinkMetadata);
        return SnapshotMetadataFormat.encode(
                new SnapshotMetadata(
                        flinkMetadata.getCopyOfBuffer(),
                        version.manifest(),
                        files.stream().map(RemoteFile::segment).toList(),
                        hasTimers(),
                        schemas(version)));
    }

    /** Returns, for every keyed state, the schemas that the runs of the checkpoint have. */
    private List<SavedSchemas> schemas(StoreVersion version) throws IOException {
        List<SavedSchemas> schemas = new ArrayList<>();
        for (StateMetaInfoSnapshot state : content.metadata().getStateMetaInfoSnapshots()) {
            SavedSchemas all = content.schemas().get(state.getName());
            if (all != null && state.getBackendStateType() == BackendStateType.KEY_VALUE) {
                schemas.add(
                        all.only(
                                version.schemaIds(state.getName()),
                                state.getTypeSerializerSnapshot(
                                        CommonSerializerKeys.VALUE_SERIALIZER)));
            }
        }
        return schemas;
    }

    private boolean hasTimers() {
        return !content.timers().isEmpty();
    }

    private void writeTimers(OutputStream out) throws IOException {
        TimerSnapshotFormat.write(content.timers(), source.keyGroups(), out);
    }

    private KeyedStateHandle writeHandle(
            List<RemoteFile> files, byte[] metadata, CheckpointTarget target) throws IOException {
        List<HandleAndLocalPath> privateState =
                new ArrayList<>(sharing.isOpen() ? List.of() : named(files));
        if (hasTimers()) {
            StreamStateHandle timers = target.writePrivate(this::writeTimers);
            privateState.add(HandleAndLocalPath.of(timers, SnapshotMetadata.TIMERS_PATH));
        }
        StreamStateHandle metadataFile = target.writePrivate(out -> out.write(metadata));
        return new IncrementalRemoteKeyedStateHandle(
                source.backendId(),
                source.keyGroups(),
                checkpointId,
                sharing.isOpen() ? named(files) : List.of(),
                privateState,
                metadataFile,
                target.writtenBytes());
    }

    private static List<HandleAndLocalPath> named(List<RemoteFile> files) {
        List<HandleAndLocalPath> named = new ArrayList<>(files.size());
        for (int i = 0; i < files.size(); i++) {
            RemoteFile file = files.get(i);
            named.add(HandleAndLocalPath.of(file.handle(), file.segment().localPath(i)));
        }
        return named;
    }

    @Nullable
    private KeyedStateHandle copy(List<Segment> segments, List<RemoteFile> files, byte[] metadata) {
        if (localCopies == null) {
            return null;
        }
        Map<String, SegmentUploader.Source> sources = new LinkedHashMap<>();
        for (int i = 0; i < segments.size(); i++) {
            Segment segment = segments.get(i);
            sources.put(
                    files.get(i).segment().localPath(i),
                    new SegmentUploader.Source(segment, source.directories().of(segment)));
        }
        return localCopies.copy(
                new LocalCopies.Content(
                        checkpointId,
                        source.keyGroups(),
                        sources,
                        sharing.isOpen() ? named(files) : List.of(),
                        hasTimers() ? this::writeTimers : null,
                        metadata));
    }

    /** Tells later checkpoints about all files, and the target about those referred to. */
    private void report(List<Segment> segments, List<RemoteFile> files) {
        Map<Integer, RemoteFile> bySerial = new HashMap<>();
        List<StreamStateHandle> reused = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            int serial = segments.get(i).serial();
            bySerial.put(serial, files.get(i));
            if (sharing.reusable().containsKey(serial)) {
                reused.add(files.get(i).handle());
            }
        }
        if (sharing.uploaded() != null) {
            sharing.uploaded().uploaded(checkpointId, bySerial);
        }
        factory.reusePreviousStateHandle(reused);
    }
}
