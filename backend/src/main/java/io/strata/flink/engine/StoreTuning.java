/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

/**
 * The knobs of a {@link TieredStore} that change when it works, never what it answers.
 *
 * @param flushEveryOperations for tests: flush and install after so many table operations; 0 is off
 * @param evictAll for tests: with every such flush, evict all that is clean
 * @param compactEveryFlush for tests: merge all runs of a table after every flush
 * @param maxRunsPerTable runs of one table at which a flush waits for compaction
 */
public record StoreTuning(
        int flushEveryOperations,
        boolean evictAll,
        boolean compactEveryFlush,
        int maxRunsPerTable) {

    private static final int DEFAULT_MAX_RUNS_PER_TABLE = 32;

    /** Checks the ranges. */
    public StoreTuning {
        if (flushEveryOperations < 0) {
            throw new IllegalArgumentException("flushEveryOperations: " + flushEveryOperations);
        }
        if (maxRunsPerTable < 2) {
            throw new IllegalArgumentException("maxRunsPerTable: " + maxRunsPerTable);
        }
    }

    /** Returns the tuning of production. */
    public static StoreTuning standard() {
        return new StoreTuning(0, false, false, DEFAULT_MAX_RUNS_PER_TABLE);
    }
}
