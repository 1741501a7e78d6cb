/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.files;

import java.util.Map;

/**
 * The remote files that a backend was restored from.
 *
 * @param checkpointId the checkpoint that they belong to
 * @param filesBySerial the file of every restored segment, by the segment's serial
 */
public record RestoredFiles(long checkpointId, Map<Integer, RemoteFile> filesBySerial) {

    /** Copies the map. */
    public RestoredFiles {
        filesBySerial = Map.copyOf(filesBySerial);
    }

    /** Returns what a backend has that was not restored. */
    public static RestoredFiles none() {
        return new RestoredFiles(-1, Map.of());
    }

    public boolean isEmpty() {
        return filesBySerial.isEmpty();
    }
}
