/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.transfer;

import io.strata.flink.checkpoint.files.RemoteSegment;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.io.StorageDirectory;
import java.nio.file.Path;
import javax.annotation.Nullable;
import org.apache.flink.runtime.state.StreamStateHandle;

/**
 * One segment that a restore needs.
 *
 * @param segment what the checkpoint holds of it
 * @param needed the key groups that are needed
 * @param directory where it goes
 * @param remote its file in the checkpoint; null in a task-local copy of a checkpoint that shares
 *     no files, where nobody may refer to it
 * @param local its file in a task-local copy, or null when there is none
 */
public record SegmentRequest(
        RemoteSegment segment,
        KeyGroupSpan needed,
        StorageDirectory directory,
        @Nullable StreamStateHandle remote,
        @Nullable Path local) {

    String fileName() {
        return segment.id().fileName();
    }

    /** Returns where the segment comes from, for errors. */
    Object origin() {
        return local != null ? local : remote;
    }
}
