/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.checkpoint.StateAssignmentOperation;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SavepointResources;
import org.apache.flink.runtime.state.SavepointSnapshotStrategy;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.SnapshotStrategyRunner;
import org.apache.flink.runtime.state.StateSerializerProvider;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.runtime.state.restore.FullSnapshotRestoreOperation;
import org.apache.flink.runtime.state.restore.KeyGroup;
import org.apache.flink.runtime.state.restore.KeyGroupEntry;
import org.apache.flink.runtime.state.restore.SavepointRestoreResult;
import org.apache.flink.util.InstantiationUtil;

/** Takes canonical savepoints as Flink's operators do, and looks into them. */
final class CanonicalSavepoints {

    private static final int MEMORY_BYTES = 64 << 20;

    /** One entry of a savepoint; timers are entries too. */
    record Entry(int keyGroup, String state, String key, String value)
            implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            return toString().compareTo(other.toString());
        }
    }

    private CanonicalSavepoints() {}

    static CheckpointStreamFactory inMemory() {
        return new MemCheckpointStreamFactory(MEMORY_BYTES);
    }

    /** The synchronous part, with the streams closed only by cancelling the future. */
    static <K> RunnableFuture<SnapshotResult<KeyedStateHandle>> begin(
            AbstractKeyedStateBackend<K> backend, CheckpointStreamFactory streams)
            throws Exception {
        SavepointResources<K> savepoint = backend.savepoint();
        return new SnapshotStrategyRunner<>(
                        "savepoint",
                        new SavepointSnapshotStrategy<>(savepoint.getSnapshotResources()),
                        new CloseableRegistry(),
                        savepoint.getPreferredSnapshotExecutionType())
                .snapshot(
                        1,
                        0,
                        streams,
                        new CheckpointOptions(
                                SavepointType.savepoint(SavepointFormatType.CANONICAL),
                                CheckpointStorageLocationReference.getDefault()));
    }

    /** Runs the asynchronous parts and returns the handles as they arrive at the job manager. */
    static List<KeyedStateHandle> finish(
            List<RunnableFuture<SnapshotResult<KeyedStateHandle>>> parts) throws Exception {
        List<KeyedStateHandle> handles = new ArrayList<>();
        for (RunnableFuture<SnapshotResult<KeyedStateHandle>> part : parts) {
            part.run();
            KeyedStateHandle handle = part.get().getJobManagerOwnedSnapshot();
            if (handle != null) {
                handles.add(InstantiationUtil.clone(handle));
            }
        }
        return handles;
    }

    /** Returns all entries in an order of their own, to be compared with another savepoint's. */
    static List<Entry> entries(
            List<KeyedStateHandle> handles, TypeSerializer<?> keys, int maxParallelism)
            throws Exception {
        KeyGroupRange all = KeyGroupRange.of(0, maxParallelism - 1);
        List<KeyedStateHandle> own = new ArrayList<>();
        StateAssignmentOperation.extractIntersectingState(handles, all, own);
        var savepoints =
                new FullSnapshotRestoreOperation<>(
                                all,
                                CanonicalSavepoints.class.getClassLoader(),
                                own,
                                StateSerializerProvider.fromNewRegisteredSerializer(keys))
                        .restore();
        List<Entry> entries = new ArrayList<>();
        while (savepoints.hasNext()) {
            add(savepoints.next(), entries);
        }
        savepoints.close();
        entries.sort(null);
        return entries;
    }

    private static void add(SavepointRestoreResult savepoint, List<Entry> entries)
            throws Exception {
        List<StateMetaInfoSnapshot> states = savepoint.getStateMetaInfoSnapshots();
        try (var keyGroups = savepoint.getRestoredKeyGroups()) {
            while (keyGroups.hasNext()) {
                KeyGroup keyGroup = keyGroups.next();
                try (var found = keyGroup.getKeyGroupEntries()) {
                    while (found.hasNext()) {
                        KeyGroupEntry entry = found.next();
                        entries.add(
                                new Entry(
                                        keyGroup.getKeyGroupId(),
                                        states.get(entry.getKvStateId()).getName(),
                                        HexFormat.of().formatHex(entry.getKey()),
                                        HexFormat.of().formatHex(entry.getValue())));
                    }
                }
            }
        }
    }

    /** Returns the names of all states of a savepoint with what Flink knows about them. */
    static List<String> states(
            KeyedStateHandle handle, TypeSerializer<?> keys, KeyGroupRange keyGroups)
            throws Exception {
        var savepoints =
                new FullSnapshotRestoreOperation<>(
                                keyGroups,
                                CanonicalSavepoints.class.getClassLoader(),
                                List.of(handle),
                                StateSerializerProvider.fromNewRegisteredSerializer(keys))
                        .restore();
        try (savepoints) {
            return savepoints.next().getStateMetaInfoSnapshots().stream()
                    .filter(Objects::nonNull)
                    .map(
                            state ->
                                    state.getName()
                                            + state.getBackendStateType()
                                            + state.getOptionsImmutable()
                                            + state.getSerializerSnapshotsImmutable().keySet())
                    .sorted()
                    .toList();
        }
    }
}
