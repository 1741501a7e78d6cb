/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.files;

import org.apache.flink.runtime.checkpoint.filemerging.FileMergingSnapshotManager;
import org.apache.flink.runtime.state.PlaceholderStreamStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;

/**
 * A file in a checkpoint and what it holds of a segment, which may be more than the local file.
 *
 * @param segment what it holds
 * @param handle the file, or a placeholder for it
 */
public record RemoteFile(RemoteSegment segment, StreamStateHandle handle) {

    /** Returns a reference that the job manager replaces by the file it knows already. */
    public RemoteFile placeholder() {
        return new RemoteFile(
                segment,
                new PlaceholderStreamStateHandle(
                        handle.getStreamStateHandleID(),
                        handle.getStateSize(),
                        FileMergingSnapshotManager.isFileMergingHandle(handle)));
    }

    /** Tells whether both are the same file on the remote side. */
    public boolean isSameFile(RemoteFile other) {
        return handle.getStreamStateHandleID().equals(other.handle.getStreamStateHandleID());
    }
}
