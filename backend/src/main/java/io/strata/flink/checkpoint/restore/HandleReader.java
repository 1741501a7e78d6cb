/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.restore;

import io.strata.flink.checkpoint.files.SnapshotMetadata;
import io.strata.flink.checkpoint.files.SnapshotMetadataFormat;
import io.strata.flink.checkpoint.transfer.CheckpointInput;
import io.strata.flink.checkpoint.transfer.RestoreCounters;
import io.strata.flink.checkpoint.transfer.SegmentRestoreException;
import io.strata.flink.format.segment.SegmentId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalLocalKeyedStateHandle;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;

/** Reads the metadata of one handle, and refuses handles that are not ours. */
final class HandleReader {

    private final CloseableRegistry cancellation;
    private final RestoreCounters counters;

    HandleReader(CloseableRegistry cancellation, RestoreCounters counters) {
        this.cancellation = cancellation;
        this.counters = counters;
    }

    /**
     * Returns the handle as one of the kinds that we write: of a checkpoint, or of its task-local
     * copy.
     *
     * @throws ForeignStateException if it is of another kind
     */
    static IncrementalKeyedStateHandle requireOurKind(KeyedStateHandle handle)
            throws ForeignStateException {
        if (handle instanceof IncrementalRemoteKeyedStateHandle
                || handle instanceof IncrementalLocalKeyedStateHandle) {
            return (IncrementalKeyedStateHandle) handle;
        }
        throw new ForeignStateException(writerOf(handle), handle);
    }

    private static String writerOf(KeyedStateHandle handle) {
        if (handle instanceof KeyGroupsStateHandle) {
            return "hashmap, or by rocksdb without incremental checkpoints";
        }
        if (handle instanceof IncrementalKeyedStateHandle) {
            return "a backend with incremental checkpoints, such as rocksdb or forst";
        }
        return "another backend (" + handle.getClass().getSimpleName() + ")";
    }

    /**
     * Reads and verifies the metadata of a handle.
     *
     * @throws ForeignStateException if another backend wrote it
     * @throws SegmentRestoreException if it is missing, cut or altered, or of a version that this
     *     build does not read, with the reason as cause
     */
    SnapshotMetadata readMetadata(IncrementalKeyedStateHandle handle) throws IOException {
        StreamStateHandle file = handle.getMetaDataStateHandle();
        byte[] bytes;
        try (FSDataInputStream in = CheckpointInput.open(file, cancellation, counters)) {
            bytes = in.readAllBytes();
        } catch (IOException e) {
            throw new SegmentRestoreException("the metadata of a checkpoint", file, e);
        }
        if (!SnapshotMetadataFormat.isOurs(bytes) && looksLikeRocksDb(handle)) {
            throw new ForeignStateException("rocksdb (or forst, whose files look alike)", handle);
        }
        try {
            return SnapshotMetadataFormat.decode("checkpoint metadata", bytes);
        } catch (IOException e) {
            throw new SegmentRestoreException("the metadata of a checkpoint", file, e);
        }
    }

    /** Files of ours have names of ours: so metadata that was damaged is still known as ours. */
    private static boolean looksLikeRocksDb(IncrementalKeyedStateHandle handle) {
        Set<String> paths = filesByPath(handle).keySet();
        return !paths.isEmpty()
                && paths.stream()
                        .noneMatch(
                                path ->
                                        path.endsWith(SegmentId.FILE_SUFFIX)
                                                || path.equals(SnapshotMetadata.TIMERS_PATH));
    }

    /** Reads Flink's part of the metadata. */
    static <K> KeyedBackendSerializationProxy<K> readFlinkMetadata(
            SnapshotMetadata metadata, ClassLoader userClassLoader) throws IOException {
        KeyedBackendSerializationProxy<K> proxy =
                new KeyedBackendSerializationProxy<>(userClassLoader);
        proxy.read(
                new DataInputViewStreamWrapper(new ByteArrayInputStream(metadata.flinkMetadata())));
        return proxy;
    }

    /** Returns the remote files of a handle by the local paths under which it lists them. */
    static Map<String, StreamStateHandle> filesByPath(IncrementalKeyedStateHandle handle) {
        Map<String, StreamStateHandle> files = new HashMap<>();
        for (HandleAndLocalPath file : handle.getSharedStateHandles()) {
            files.put(file.getLocalPath(), file.getHandle());
        }
        if (handle instanceof IncrementalRemoteKeyedStateHandle remote) {
            for (HandleAndLocalPath file : remote.getPrivateState()) {
                files.put(file.getLocalPath(), file.getHandle());
            }
        }
        return files;
    }
}
