/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.SegmentPolicy;

/**
 * The knobs of a {@link TieredStore} that change when it works, never what it answers.
 *
 * @param flushEveryOperations for tests: flush and install after so many table operations; 0 is off
 * @param evictAll for tests: with every such flush, evict all that is clean
 * @param compactEveryFlush for tests: merge all runs of a table after every flush
 * @param maxRunsPerTable runs of one table at which a flush waits for compaction
 * @param estimateDivisor for tests: how many times too small the sizes of values are taken; 1 is
 *     off
 * @param fewSegments segments that are left alone however little they hold
 * @param leastHotBytes what the hot tier may take however small its lease is
 */
public record StoreTuning(
        int flushEveryOperations,
        boolean evictAll,
        boolean compactEveryFlush,
        int maxRunsPerTable,
        int estimateDivisor,
        int fewSegments,
        long leastHotBytes) {

    private static final int DEFAULT_MAX_RUNS_PER_TABLE = 32;

    /**
     * With 64 KiB, a flush writes 6 KB or more. With 9 KB, as when many backends share a tiny
     * budget, it writes 1.6 KB, and the task spends twenty times as long creating segments.
     */
    private static final long DEFAULT_LEAST_HOT_BYTES = 64 << 10;

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

    /** Creates a tuning for tests, which take sizes as they are estimated and leases literally. */
    public StoreTuning(
            int flushEveryOperations,
            boolean evictAll,
            boolean compactEveryFlush,
            int maxRunsPerTable) {
        this(
                flushEveryOperations,
                evictAll,
                compactEveryFlush,
                maxRunsPerTable,
                1,
                SegmentPolicy.FEW_SEGMENTS,
                0);
    }

    /** Returns the tuning of production. */
    public static StoreTuning standard() {
        return new StoreTuning(
                0,
                false,
                false,
                DEFAULT_MAX_RUNS_PER_TABLE,
                1,
                SegmentPolicy.FEW_SEGMENTS,
                DEFAULT_LEAST_HOT_BYTES);
    }
}
