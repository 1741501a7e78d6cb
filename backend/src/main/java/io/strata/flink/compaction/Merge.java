/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import io.strata.flink.segment.RunView;
import java.util.List;

/**
 * Runs to be merged into one.
 *
 * @param newestFirst runs of one state, neighbours in age
 * @param bottom true when no older run can hold a key of these
 * @param rules what the values mean; the output is written in their schema, and inputs of other
 *     schemas are converted
 */
public record Merge(List<RunView> newestFirst, boolean bottom, ValueRules rules) {

    /** Copies the list. */
    public Merge {
        newestFirst = List.copyOf(newestFirst);
    }
}
