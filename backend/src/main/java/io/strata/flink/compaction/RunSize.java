/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import io.strata.flink.segment.RunView;

/**
 * What the policy knows of a run.
 *
 * @param records its records, tombstones included
 * @param tombstones its DELETE records
 * @param bytes the bytes of its pages
 */
public record RunSize(long records, long tombstones, long bytes) {

    public RunSize {
        if (tombstones < 0 || records < tombstones || bytes < 0) {
            throw new IllegalArgumentException(
                    "a run of %d records, %d of them tombstones, in %d bytes"
                            .formatted(records, tombstones, bytes));
        }
    }

    /** Returns the size of what is visible of a run. */
    public static RunSize of(RunView view) {
        return new RunSize(view.records(), view.tombstones(), view.dataBytes());
    }
}
