/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

/**
 * Neighbours in age to merge into one run, or one run to write anew without what it need not hold:
 * positions in a list of runs, newest first.
 *
 * @param newestIndex the newest of them, the smaller index
 * @param oldestIndex the oldest of them, included
 */
public record CompactionPlan(int newestIndex, int oldestIndex) {

    public CompactionPlan {
        if (newestIndex < 0 || oldestIndex < newestIndex) {
            throw new IllegalArgumentException(
                    "no runs to merge between " + newestIndex + " and " + oldestIndex);
        }
    }

    /** Returns the number of runs to merge. */
    public int runs() {
        return oldestIndex - newestIndex + 1;
    }
}
