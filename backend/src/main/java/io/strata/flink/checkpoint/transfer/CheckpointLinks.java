/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.transfer;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import javax.annotation.Nullable;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;

/**
 * Hard links in the place of downloads, for checkpoints on the file system of the local directory.
 * Nobody writes to a segment or to a file of a checkpoint once it is complete, so both may be the
 * same file; whoever deletes one of them leaves the other.
 */
final class CheckpointLinks {

    private CheckpointLinks() {}

    /**
     * Links to the file of a request in the request's directory.
     *
     * @return false when it has to be downloaded: it is on another file system, or holds more or
     *     less than the segment
     * @throws IOException when the local file exists
     */
    static boolean tryLink(SegmentRequest request) throws IOException {
        Path file = localPath(request.remote());
        return file != null
                && request.segment().isWhole()
                && request.directory().tryLinkIn(file, request.fileName());
    }

    @Nullable
    private static Path localPath(@Nullable StreamStateHandle handle) {
        if (!(handle instanceof FileStateHandle file)) {
            return null;
        }
        URI uri = file.getFilePath().toUri();
        boolean isLocal = uri.getScheme() == null || uri.getScheme().equals("file");
        return isLocal ? Path.of(uri.getPath()) : null;
    }
}
