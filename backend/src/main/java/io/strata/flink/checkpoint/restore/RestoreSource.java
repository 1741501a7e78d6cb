/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.restore;

import io.strata.flink.checkpoint.files.RemoteSegment;
import io.strata.flink.checkpoint.files.SnapshotMetadata;
import io.strata.flink.checkpoint.transfer.LocalCopy;
import io.strata.flink.checkpoint.transfer.SegmentRequest;
import io.strata.flink.checkpoint.transfer.SegmentRestoreException;
import io.strata.flink.engine.StoreManifest.RunRef;
import io.strata.flink.engine.StoreManifest.StateRuns;
import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.io.StorageDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.flink.runtime.checkpoint.filemerging.FileMergingSnapshotManager;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle;
import org.apache.flink.runtime.state.IncrementalLocalKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.StreamStateHandle;

/**
 * One handle of a restore whose metadata was read: of a checkpoint, or of its task-local copy.
 *
 * @param handle the handle
 * @param metadata its metadata
 * @param taken the key groups that the backend takes from it
 */
record RestoreSource(
        IncrementalKeyedStateHandle handle, SnapshotMetadata metadata, KeyGroupRange taken) {

    /** Gives a segment a directory in which its file name is free. */
    @FunctionalInterface
    interface Places {
        StorageDirectory placeFor(RemoteSegment segment) throws IOException;
    }

    KeyGroupSpan span() {
        return new KeyGroupSpan(taken.getStartKeyGroup(), taken.getEndKeyGroup());
    }

    /** Returns a request for every segment, null for those that bring none of the key groups. */
    List<SegmentRequest> requests(Places places) throws IOException {
        Map<String, StreamStateHandle> files = HandleReader.filesByPath(handle);
        List<SegmentRequest> requests = new ArrayList<>();
        for (int i = 0; i < metadata.segments().size(); i++) {
            KeyGroupSpan needed = neededOf(i);
            requests.add(needed == null ? null : request(i, needed, files, places));
        }
        return requests;
    }

    private SegmentRequest request(
            int index, KeyGroupSpan needed, Map<String, StreamStateHandle> files, Places places)
            throws IOException {
        RemoteSegment segment = metadata.segments().get(index);
        String name = segment.localPath(index);
        StreamStateHandle file = files.get(name);
        Path local = localDirectory() == null ? null : localDirectory().resolve(name);
        if ((file == null && local == null) || !segment.present().containsAll(needed)) {
            throw new SegmentRestoreException(
                    "segment " + segment.id(),
                    handle,
                    new CorruptFormatException(
                            segment.id().fileName(),
                            "uploaded key groups",
                            needed,
                            file == null ? "no such file in the handle" : segment.present()));
        }
        return new SegmentRequest(segment, needed, places.placeFor(segment), file, local);
    }

    /** Returns the key groups from the first to the last that any run of the segment brings. */
    @Nullable
    private KeyGroupSpan neededOf(int segmentIndex) {
        KeyGroupSpan needed = null;
        for (StateRuns state : metadata.manifest().states()) {
            for (RunRef run : state.newestFirst()) {
                if (run.segmentIndex() == segmentIndex) {
                    KeyGroupSpan clip =
                            new KeyGroupSpan(run.firstKeyGroup(), run.lastKeyGroup())
                                    .intersection(span());
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

    /**
     * Returns the file with the timers, or null when the handle has none.
     *
     * @throws SegmentRestoreException if it is missing
     */
    @Nullable
    StreamStateHandle timers() throws IOException {
        if (!metadata.hasTimers()) {
            return null;
        }
        try {
            if (localDirectory() != null) {
                return LocalCopy.timersIn(localDirectory());
            }
            StreamStateHandle file =
                    HandleReader.filesByPath(handle).get(SnapshotMetadata.TIMERS_PATH);
            if (file == null) {
                throw new IOException("the handle has no file of that name");
            }
            return file;
        } catch (IOException e) {
            throw new SegmentRestoreException("timers", handle, e);
        }
    }

    /** Returns the directory of a task-local copy, null for a checkpoint itself. */
    @Nullable
    private Path localDirectory() {
        return handle instanceof IncrementalLocalKeyedStateHandle local
                ? local.getDirectoryStateHandle().getDirectory()
                : null;
    }

    /**
     * Tells whether later checkpoints of the backend may refer to a file: whether it is shared
     * among them.
     *
     * <p>A part of a file into which Flink merged several is shared only among the checkpoints of a
     * task with the same key groups: it lies in a directory of that task, which the job manager
     * deletes, with all that is in it, when no checkpoint of that task is left.
     */
    boolean mayBeReferredTo(@Nullable StreamStateHandle file, KeyGroupRange owned) {
        boolean isShared =
                handle.getSharedStateHandles().stream().anyMatch(own -> own.getHandle() == file);
        return isShared
                && (!FileMergingSnapshotManager.isFileMergingHandle(file)
                        || handle.getKeyGroupRange().equals(owned));
    }
}
