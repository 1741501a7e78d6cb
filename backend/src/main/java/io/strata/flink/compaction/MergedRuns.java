/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import io.strata.flink.segment.Run;
import io.strata.flink.segment.Segment;
import java.util.List;
import java.util.Optional;

/**
 * What merges came to.
 *
 * @param segment the open segment with one reference, which is the caller's; empty when no merge
 *     left anything
 * @param runs what each merge left, in the order in which they were asked for
 */
public record MergedRuns(Optional<Segment> segment, List<Optional<Run>> runs) {

    /** Copies the list. */
    public MergedRuns {
        runs = List.copyOf(runs);
    }
}
