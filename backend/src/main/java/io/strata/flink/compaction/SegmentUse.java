/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

/**
 * What the policy knows of a segment.
 *
 * @param heldBytes bytes on disk
 * @param liveBytes the part of them that belongs to runs in use
 * @param busy whether some run in use is being merged, so that the segment will lose it anyway
 */
public record SegmentUse(long heldBytes, long liveBytes, boolean busy) {

    /** Returns the part of the bytes on disk that is in use. */
    double livePart() {
        return (double) liveBytes / Math.max(1, heldBytes);
    }
}
