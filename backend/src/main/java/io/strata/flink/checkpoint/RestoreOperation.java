/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint;

import io.strata.flink.engine.RestoredRuns;
import io.strata.flink.engine.StoreManifest;
import io.strata.flink.engine.StoreManifest.RunRef;
import io.strata.flink.engine.StoreManifest.StateRuns;
import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.segment.Segment;
import io.strata.flink.timers.TimerSnapshotFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.util.StateMigrationException;

/**
 * Restores one backend from the handles of a checkpoint, whatever the parallelism that wrote them.
 * Runs once, on the task thread.
 *
 * <p>First the metadata of all handles, then their segments side by side, then the timers. No
 * record is rewritten: the backend refers to the runs of every handle, clipped to the key groups
 * that it takes from it.
 */
public final class RestoreOperation<K> {

    private final RestoreRequest<K> request;
    private final HandleReader reader;
    private final SegmentDownloader downloader;

    private final Map<String, StateMetaInfoSnapshot> states = new LinkedHashMap<>();
    private final Map<Integer, RemoteFile> filesBySerial = new HashMap<>();
    private boolean keySerializerChecked;

    /** One handle whose metadata was read. */
    private record Source(
            IncrementalRemoteKeyedStateHandle handle,
            SnapshotMetadata metadata,
            KeyGroupRange taken,
            Map<String, StreamStateHandle> files) {

        KeyGroupSpan span() {
            return new KeyGroupSpan(taken.getStartKeyGroup(), taken.getEndKeyGroup());
        }
    }

    /** One segment to fetch for one handle. */
    private record Fetch(int source, int segmentIndex, SegmentDownloader.Request request) {}

    public RestoreOperation(RestoreRequest<K> request, TransferPool pool) {
        this.request = request;
        this.reader = new HandleReader(request.cancellation());
        this.downloader = new SegmentDownloader(pool, request.cancellation());
    }

    /**
     * Restores everything; after a failure nothing stays open.
     *
     * @throws ForeignStateException if another backend wrote a handle
     * @throws SegmentRestoreException if a file is missing, damaged, or of a newer version
     * @throws StateMigrationException if the key serializer cannot read what was written
     */
    public RestoreResult restore() throws Exception {
        List<Source> sources = readHandles();
        List<Fetch> fetches = plan(sources);
        List<Segment> segments = downloader.download(fetches.stream().map(Fetch::request).toList());
        RestoreResult result = assemble(sources, fetches, segments);
        try {
            for (Source source : sources) {
                restoreTimers(source);
            }
            return result;
        } catch (Exception | Error e) {
            result.release();
            throw e;
        }
    }

    private List<Source> readHandles() throws IOException, StateMigrationException {
        List<Source> sources = new ArrayList<>();
        for (KeyedStateHandle handle : request.handles()) {
            if (handle == null) {
                continue;
            }
            IncrementalRemoteKeyedStateHandle ours = HandleReader.requireOurKind(handle);
            KeyGroupRange taken = request.keyGroups().getIntersection(ours.getKeyGroupRange());
            if (taken.getNumberOfKeyGroups() == 0) {
                continue;
            }
            SnapshotMetadata metadata = reader.readMetadata(ours);
            readStates(metadata);
            sources.add(new Source(ours, metadata, taken, HandleReader.filesByPath(ours)));
        }
        return sources;
    }

    private void readStates(SnapshotMetadata metadata) throws IOException, StateMigrationException {
        KeyedBackendSerializationProxy<K> proxy =
                HandleReader.readFlinkMetadata(metadata, request.userClassLoader());
        checkKeySerializer(proxy.getKeySerializerSnapshot());
        for (StateMetaInfoSnapshot state : proxy.getStateMetaInfoSnapshots()) {
            switch (state.getBackendStateType()) {
                case KEY_VALUE -> states.putIfAbsent(state.getName(), state);
                case PRIORITY_QUEUE -> request.timers().restoreQueue(state);
                default ->
                        throw new IOException(
                                "State '%s' is of kind %s, which this version does not restore."
                                        .formatted(state.getName(), state.getBackendStateType()));
            }
        }
    }

    /** All handles come from one job: the serializer of the first stands for all. */
    private void checkKeySerializer(TypeSerializerSnapshot<K> written)
            throws StateMigrationException {
        if (keySerializerChecked) {
            return;
        }
        TypeSerializer<K> registered = request.keySerializer().currentSchemaSerializer();
        TypeSerializerSchemaCompatibility<K> compatibility =
                request.keySerializer().setPreviousSerializerSnapshotForRestoredState(written);
        if (compatibility.isCompatibleAfterMigration() || compatibility.isIncompatible()) {
            throw new StateMigrationException(
                    "The new key serializer (%s) must be compatible with the one that wrote the keys (%s)."
                            .formatted(registered, written));
        }
        keySerializerChecked = true;
    }

    private List<Fetch> plan(List<Source> sources) throws IOException {
        List<Fetch> fetches = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
            Source source = sources.get(i);
            List<RemoteSegment> segments = source.metadata().segments();
            for (int j = 0; j < segments.size(); j++) {
                KeyGroupSpan needed = neededOf(source, j);
                if (needed != null) {
                    RemoteFile file = fileOf(source, j, needed);
                    fetches.add(
                            new Fetch(
                                    i,
                                    j,
                                    new SegmentDownloader.Request(
                                            file,
                                            needed,
                                            request.directories().placeFor(file.segment().id()))));
                }
            }
        }
        return fetches;
    }

    /** Returns the key groups from the first to the last that any run of the segment brings. */
    private static KeyGroupSpan neededOf(Source source, int segmentIndex) {
        KeyGroupSpan needed = null;
        for (StateRuns state : source.metadata().manifest().states()) {
            for (RunRef run : state.newestFirst()) {
                if (run.segmentIndex() == segmentIndex) {
                    KeyGroupSpan clip =
                            new KeyGroupSpan(run.firstKeyGroup(), run.lastKeyGroup())
                                    .intersection(source.span());
                    needed = needed == null ? clip : clip == null ? needed : hull(needed, clip);
                }
            }
        }
        return needed;
    }

    private static KeyGroupSpan hull(KeyGroupSpan one, KeyGroupSpan other) {
        return new KeyGroupSpan(
                Math.min(one.first(), other.first()), Math.max(one.last(), other.last()));
    }

    private static RemoteFile fileOf(Source source, int segmentIndex, KeyGroupSpan needed)
            throws IOException {
        RemoteSegment segment = source.metadata().segments().get(segmentIndex);
        StreamStateHandle file =
                source.files().get(SnapshotOperation.localPath(segmentIndex, segment));
        if (file == null || !segment.present().containsAll(needed)) {
            throw new SegmentRestoreException(
                    "segment " + segment.id(),
                    source.handle(),
                    new CorruptFormatException(
                            segment.id().fileName(),
                            "uploaded key groups",
                            needed,
                            file == null ? "no such file in the handle" : segment.present()));
        }
        return new RemoteFile(segment, file);
    }

    private RestoreResult assemble(
            List<Source> sources, List<Fetch> fetches, List<Segment> segments) {
        List<List<Segment>> bySource = new ArrayList<>();
        for (Source source : sources) {
            int count = source.metadata().segments().size();
            bySource.add(new ArrayList<>(Collections.nCopies(count, null)));
        }
        for (int i = 0; i < fetches.size(); i++) {
            Segment segment = segments.get(i);
            if (segment != null) {
                Fetch fetch = fetches.get(i);
                bySource.get(fetch.source()).set(fetch.segmentIndex(), segment);
                request.directories().put(segment, fetch.request().directory());
                filesBySerial.put(segment.serial(), fetch.request().file());
            }
        }
        List<RestoredRuns> runs = new ArrayList<>();
        long checkpointId = -1;
        for (int i = 0; i < sources.size(); i++) {
            Source source = sources.get(i);
            StoreManifest manifest = source.metadata().manifest();
            runs.add(new RestoredRuns(manifest, bySource.get(i), source.span()));
            checkpointId = Math.max(checkpointId, source.handle().getCheckpointId());
        }
        return new RestoreResult(
                List.copyOf(states.values()), runs, new RestoredFiles(checkpointId, filesBySerial));
    }

    private void restoreTimers(Source source) throws IOException {
        StreamStateHandle file = source.files().get(SnapshotOperation.TIMERS_PATH);
        if (!source.metadata().hasTimers()) {
            return;
        }
        if (file == null) {
            throw new SegmentRestoreException(
                    "timers",
                    source.handle(),
                    new IOException("the handle has no file of that name"));
        }
        try (FSDataInputStream in = file.openInputStream()) {
            request.cancellation().registerCloseable(in);
            try {
                TimerSnapshotFormat.read(
                        "timers", file.getStateSize(), in, source.taken(), request.timers());
            } finally {
                request.cancellation().unregisterCloseable(in);
            }
        } catch (IOException e) {
            throw new SegmentRestoreException("timers", file, e);
        }
    }
}
