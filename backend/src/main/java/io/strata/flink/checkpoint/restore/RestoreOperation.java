/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.restore;

import io.strata.flink.checkpoint.files.RemoteFile;
import io.strata.flink.checkpoint.files.RemoteSegment;
import io.strata.flink.checkpoint.files.RestoredFiles;
import io.strata.flink.checkpoint.files.SnapshotMetadata;
import io.strata.flink.checkpoint.transfer.CheckpointInput;
import io.strata.flink.checkpoint.transfer.RestoreCounters;
import io.strata.flink.checkpoint.transfer.RestoreStats;
import io.strata.flink.checkpoint.transfer.SegmentDownloader;
import io.strata.flink.checkpoint.transfer.SegmentFetcher;
import io.strata.flink.checkpoint.transfer.SegmentRequest;
import io.strata.flink.checkpoint.transfer.SegmentRestoreException;
import io.strata.flink.checkpoint.transfer.TransferPool;
import io.strata.flink.engine.RestoredRuns;
import io.strata.flink.engine.StoreManifest;
import io.strata.flink.savepoint.ImportRequest;
import io.strata.flink.savepoint.SavepointImport;
import io.strata.flink.savepoint.SavepointImportException;
import io.strata.flink.schema.SavedSchemas;
import io.strata.flink.segment.Segment;
import io.strata.flink.timers.TimerSnapshotFormat;
import io.strata.flink.ttl.EventTime;
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
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupsSavepointStateHandle;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.util.StateMigrationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores one backend from the handles of a checkpoint, whatever the parallelism that wrote them.
 * Runs once, on the task thread.
 *
 * <p>First the metadata of all handles, then their segments side by side, then the timers. No
 * record is rewritten: the backend refers to the runs of every handle, clipped to the key groups
 * that it takes from it. Files of canonical savepoints become runs of their own.
 */
public final class RestoreOperation<K> {

    private static final Logger LOG = LoggerFactory.getLogger(RestoreOperation.class);

    private final RestoreRequest<K> request;
    private final RestoreCounters counters = new RestoreCounters();
    private final HandleReader reader;
    private final SegmentFetcher fetcher;

    private final Map<String, StateMetaInfoSnapshot> states = new LinkedHashMap<>();
    private final Map<String, SavedSchemas> schemas = new HashMap<>();
    private final Map<Integer, RemoteFile> filesBySerial = new HashMap<>();
    private final List<KeyGroupsSavepointStateHandle> savepoints = new ArrayList<>();
    private final List<EventTime> eventTimes = new ArrayList<>();
    private boolean keySerializerChecked;

    /** One segment to fetch for one handle. */
    private record Fetch(int source, int segmentIndex, SegmentRequest request) {}

    public RestoreOperation(RestoreRequest<K> request, TransferPool pool) {
        this.request = request;
        this.reader = new HandleReader(request.cancellation(), counters);
        this.fetcher =
                new SegmentFetcher(
                        pool,
                        new SegmentDownloader(
                                pool,
                                request.cancellation(),
                                counters,
                                request.links(),
                                SegmentDownloader.PIECE_BYTES),
                        request.memory(),
                        counters);
    }

    /**
     * Restores everything; after a failure nothing stays open.
     *
     * @throws ForeignStateException if another backend wrote a handle
     * @throws SegmentRestoreException if a file is missing, damaged, or of a newer version
     * @throws SavepointImportException if the file is one of a canonical savepoint
     * @throws StateMigrationException if the key serializer cannot read what was written
     */
    public RestoreResult restore() throws Exception {
        List<RestoreSource> sources = readHandles();
        List<Fetch> fetches = plan(sources);
        List<Segment> segments = fetcher.fetch(fetches.stream().map(Fetch::request).toList());
        RestoreResult result = assemble(sources, fetches, segments);
        try {
            for (RestoreSource source : sources) {
                restoreTimers(source);
            }
            return savepoints.isEmpty() ? result : withSavepoints(result);
        } catch (Exception | Error e) {
            result.release();
            throw e;
        }
    }

    /** Returns what the restore has cost so far. */
    public RestoreStats stats() {
        return counters.stats();
    }

    private List<RestoreSource> readHandles() throws IOException, StateMigrationException {
        List<RestoreSource> sources = new ArrayList<>();
        for (KeyedStateHandle handle : request.handles()) {
            if (handle == null) {
                continue;
            }
            if (handle instanceof KeyGroupsSavepointStateHandle savepoint) {
                savepoints.add(savepoint);
                continue;
            }
            IncrementalKeyedStateHandle ours = HandleReader.requireOurKind(handle);
            KeyGroupRange taken = request.keyGroups().getIntersection(ours.getKeyGroupRange());
            if (taken.getNumberOfKeyGroups() == 0) {
                continue;
            }
            SnapshotMetadata metadata = reader.readMetadata(ours).without(request.dropped());
            readStates(
                    HandleReader.readFlinkMetadata(metadata, request.userClassLoader()),
                    SavedSchemaSource.of(metadata));
            sources.add(new RestoreSource(ours, metadata, taken));
        }
        requireDisjoint(sources);
        return sources;
    }

    /**
     * Flink gives every key group to one handle. Which of two would be the newer nobody could tell
     * (I5), and they would hide each other.
     */
    private void requireDisjoint(List<RestoreSource> sources) throws IOException {
        for (int i = 0; i < sources.size(); i++) {
            for (RestoreSource other : sources.subList(0, i)) {
                KeyGroupRange common = sources.get(i).taken().getIntersection(other.taken());
                if (common.getNumberOfKeyGroups() > 0) {
                    throw new IOException(
                            "Key groups %s are in two handles (%s and %s): restore one of the two."
                                    .formatted(common, other.handle(), sources.get(i).handle()));
                }
            }
        }
        for (KeyGroupsSavepointStateHandle savepoint : savepoints) {
            for (RestoreSource source : sources) {
                KeyGroupRange common = source.taken().getIntersection(savepoint.getKeyGroupRange());
                if (common.getNumberOfKeyGroups() > 0) {
                    throw new IOException(
                            "Key groups %s are in a canonical savepoint (%s) and in a checkpoint of Strata (%s): restore one of the two."
                                    .formatted(
                                            common,
                                            savepoint.getDelegateStateHandle(),
                                            source.handle()));
                }
            }
        }
    }

    private RestoreResult withSavepoints(RestoreResult result) throws Exception {
        List<RestoredRuns> runs = new ArrayList<>(result.runs());
        RestoredRuns imported = importSavepoints();
        counters.rewritten(imported);
        runs.add(imported);
        return new RestoreResult(
                List.copyOf(states.values()), schemas, runs, result.files(), eventTime());
    }

    private RestoredRuns importSavepoints() throws Exception {
        ImportRequest<K> imported =
                new ImportRequest<>(
                        request.keyGroups(),
                        request.keyGroupsInJob(),
                        request.keySerializer(),
                        request.userClassLoader(),
                        request.cancellation(),
                        new ImportRequest.Target(
                                request.directories().main(),
                                request.memory(),
                                request.imports().options(),
                                request.imports().sortBytes()),
                        request.timers(),
                        request.dropped());
        return new SavepointImport<>(
                        imported, proxy -> readStates(proxy, SavedSchemaSource.ofSavepoint()))
                .run(savepoints);
    }

    private void readStates(KeyedBackendSerializationProxy<K> proxy, SavedSchemaSource source)
            throws IOException, StateMigrationException {
        checkKeySerializer(proxy.getKeySerializerSnapshot());
        eventTimes.add(EventTime.of(proxy.getStateMetaInfoSnapshots()));
        for (StateMetaInfoSnapshot state : proxy.getStateMetaInfoSnapshots()) {
            switch (state.getBackendStateType()) {
                case KEY_VALUE -> {
                    if (request.dropped().contains(state.getName())) {
                        LOG.info("Dropped the restored state '{}'.", state.getName());
                        continue;
                    }
                    states.putIfAbsent(state.getName(), state);
                    schemas.merge(state.getName(), source.of(state), SavedSchemas::merge);
                }
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

    private List<Fetch> plan(List<RestoreSource> sources) throws IOException {
        List<Fetch> fetches = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
            List<SegmentRequest> requests =
                    sources.get(i)
                            .requests(segment -> request.directories().placeFor(segment.id()));
            for (int j = 0; j < requests.size(); j++) {
                if (requests.get(j) != null) {
                    fetches.add(new Fetch(i, j, requests.get(j)));
                }
            }
        }
        return fetches;
    }

    private RestoreResult assemble(
            List<RestoreSource> sources, List<Fetch> fetches, List<Segment> segments) {
        List<List<Segment>> bySource = new ArrayList<>();
        for (RestoreSource source : sources) {
            int count = source.metadata().segments().size();
            bySource.add(new ArrayList<>(Collections.nCopies(count, null)));
        }
        for (int i = 0; i < fetches.size(); i++) {
            Segment segment = segments.get(i);
            if (segment != null) {
                Fetch fetch = fetches.get(i);
                bySource.get(fetch.source()).set(fetch.segmentIndex(), segment);
                request.directories().put(segment, fetch.request().directory());
                StreamStateHandle file = fetch.request().remote();
                if (sources.get(fetch.source()).mayBeReferredTo(file, request.keyGroups())) {
                    RemoteSegment content = fetch.request().segment();
                    filesBySerial.put(segment.serial(), new RemoteFile(content, file));
                }
            }
        }
        List<RestoredRuns> runs = new ArrayList<>();
        long checkpointId = -1;
        for (int i = 0; i < sources.size(); i++) {
            RestoreSource source = sources.get(i);
            StoreManifest manifest = source.metadata().manifest();
            runs.add(new RestoredRuns(manifest, bySource.get(i), source.span()));
            checkpointId = Math.max(checkpointId, source.handle().getCheckpointId());
        }
        return new RestoreResult(
                List.copyOf(states.values()),
                schemas,
                runs,
                new RestoredFiles(checkpointId, filesBySerial),
                eventTime());
    }

    private EventTime eventTime() {
        return eventTimes.stream().reduce(EventTime::joinedWith).orElse(EventTime.NONE);
    }

    private void restoreTimers(RestoreSource source) throws IOException {
        StreamStateHandle file = source.timers();
        if (file == null) {
            return;
        }
        try (FSDataInputStream in = CheckpointInput.open(file, request.cancellation(), counters)) {
            TimerSnapshotFormat.read(
                    "timers", file.getStateSize(), in, source.taken(), request.timers());
        } catch (IOException e) {
            throw new SegmentRestoreException("timers", file, e);
        }
    }
}
