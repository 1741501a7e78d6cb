/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.snapshot;

import io.strata.flink.checkpoint.files.RemoteFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.flink.runtime.state.StreamStateHandle;

/**
 * Remembers which remote file holds which segment, checkpoint by checkpoint, and decides which of
 * them the next checkpoint may refer to.
 *
 * <p>A file may be referred to when the last completed checkpoint holds it <em>and</em> every
 * checkpoint begun after that one was allowed to refer to the very same file. Otherwise such a
 * later checkpoint uploads the segment a second time; if it completes, the job manager forgets the
 * first file, whether or not this task has heard of that. Files of checkpoints that are not known
 * to be complete are never referred to: an abort deletes them.
 *
 * <p>Segments are told apart by {@link io.strata.flink.segment.Segment#serial}, since after a
 * rescale two handles may bring different parts of one segment. A segment that has left the store
 * never comes back, so what a checkpoint does not hold no later one needs.
 *
 * <p>Thread-safe: the task thread begins checkpoints and hears of their ends, snapshot threads
 * report what they uploaded.
 */
final class UploadedSegments {

    /** Checkpoints that may still matter, in the order in which they began. */
    private final Map<Long, Checkpoint> checkpoints = new LinkedHashMap<>();

    /** The key in {@link #checkpoints} of the last completed one, or null before the first. */
    private Long lastCompleted;

    /**
     * One checkpoint: what it may refer to, until it reports the files that it really refers to.
     */
    private static final class Checkpoint {
        private Map<Integer, RemoteFile> files;
        private boolean uploaded;

        private Checkpoint(Map<Integer, RemoteFile> files, boolean uploaded) {
            this.files = files;
            this.uploaded = uploaded;
        }
    }

    /** Takes over the files of the checkpoint that the backend was restored from. */
    synchronized void restored(long checkpointId, Map<Integer, RemoteFile> filesBySerial) {
        checkpoints.put(checkpointId, new Checkpoint(Map.copyOf(filesBySerial), true));
        lastCompleted = checkpointId;
    }

    /**
     * Begins an incremental checkpoint.
     *
     * @param reusable what the target of the checkpoint agrees to refer to
     * @return a placeholder by segment serial for every file that the checkpoint may refer to
     */
    synchronized Map<Integer, RemoteFile> begin(
            long checkpointId, Predicate<StreamStateHandle> reusable) {
        Map<Integer, RemoteFile> allowed = new HashMap<>();
        if (lastCompleted != null) {
            checkpoints
                    .get(lastCompleted)
                    .files
                    .forEach(
                            (serial, file) -> {
                                RemoteFile placeholder = file.placeholder();
                                if (allRefer(serial, file) && reusable.test(placeholder.handle())) {
                                    allowed.put(serial, placeholder);
                                }
                            });
        }
        // Put anew, so that an id used again counts as begun last and as not complete.
        checkpoints.remove(checkpointId);
        if (lastCompleted != null && lastCompleted == checkpointId) {
            lastCompleted = null;
        }
        checkpoints.put(checkpointId, new Checkpoint(Map.copyOf(allowed), false));
        return allowed;
    }

    /** Reports all files of a checkpoint: new ones and placeholders of those referred to. */
    synchronized void uploaded(long checkpointId, Map<Integer, RemoteFile> filesBySerial) {
        Checkpoint checkpoint = checkpoints.get(checkpointId);
        if (checkpoint != null) {
            checkpoint.files = Map.copyOf(filesBySerial);
            checkpoint.uploaded = true;
        }
    }

    /** Hears that a checkpoint is complete; of savepoints and unknown ones it knows nothing. */
    synchronized void completed(long checkpointId) {
        Checkpoint checkpoint = checkpoints.get(checkpointId);
        if (checkpoint == null || !checkpoint.uploaded) {
            return;
        }
        List<Long> begun = new ArrayList<>(checkpoints.keySet());
        int position = begun.indexOf(checkpointId);
        if (lastCompleted != null && position <= begun.indexOf(lastCompleted)) {
            return;
        }
        checkpoints.keySet().removeAll(begun.subList(0, position));
        lastCompleted = checkpointId;
    }

    /** Hears that a checkpoint was aborted or has failed: its files are gone or soon will be. */
    synchronized void aborted(long checkpointId) {
        if (lastCompleted == null || lastCompleted != checkpointId) {
            checkpoints.remove(checkpointId);
        }
    }

    private boolean allRefer(int serial, RemoteFile file) {
        return checkpoints.values().stream()
                .map(checkpoint -> checkpoint.files.get(serial))
                .allMatch(other -> other != null && other.isSameFile(file));
    }
}
