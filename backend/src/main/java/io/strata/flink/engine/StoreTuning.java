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
 * @param estimateDivisor for tests: how many times too small the sizes of values are taken; 1 is
 *     off
 */
public record StoreTuning(
        int flushEveryOperations,
        boolean evictAll,
        boolean compactEveryFlush,
        int maxRunsPerTable,
        int estimateDivisor) {

    private static final int DEFAULT_MAX_RUNS_PER_TABLE = 32;

    /** Checks the ranges. */
    public StoreTuning {
        if (flushEveryOperations < 0) {
            throw new IllegalArgumentException("flushEveryOperations: " + flushEveryOperations);
        }
        if (maxRunsPerTable < 2) {
            throw new IllegalArgumentException("maxRunsPerTable: " + maxRunsPerTable);
        }
        if (estimateDivisor < 1) {
            throw new IllegalArgumentException("estimateDivisor: " + estimateDivisor);
        }
    }

    /** Takes sizes as they are estimated. */
    public StoreTuning(
            int flushEveryOperations,
            boolean evictAll,
            boolean compactEveryFlush,
            int maxRunsPerTable) {
        this(flushEveryOperations, evictAll, compactEveryFlush, maxRunsPerTable, 1);
    }

    /** Returns the tuning of production. */
    public static StoreTuning standard() {
        return new StoreTuning(0, false, false, DEFAULT_MAX_RUNS_PER_TABLE);
    }
}
