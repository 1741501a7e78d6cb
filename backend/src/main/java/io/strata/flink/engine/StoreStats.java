/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

/**
 * Counters of a {@link TieredStore} as of the last time the task thread published them.
 *
 * @param hotEntries entries on the heap
 * @param hotBytes their estimated bytes
 * @param dirtyBytes the part of them that no run holds yet
 * @param coldRecords records in all runs, superseded ones included
 * @param coldBytes data bytes of all runs
 * @param runs runs of all tables
 * @param segments segments that hold them, when they were last looked at
 * @param hotHits reads answered on the heap
 * @param coldReads reads that went to the runs
 * @param flushes flushes installed
 * @param flushedBytes bytes they wrote
 * @param compactions compactions installed
 * @param compactedBytes bytes they wrote
 * @param compactionReadBytes bytes of pages that compactions read
 * @param expiredRuns runs that went unread because all they held had expired
 * @param expiredBytes bytes of their pages
 * @param evictedBytes estimated bytes evicted
 * @param stalls times the task waited for a flush or a compaction
 * @param stallNanos how long altogether
 * @param longestStallNanos the longest of them
 * @param compactionStallNanos how long of that it waited for compactions
 */
public record StoreStats(
        long hotEntries,
        long hotBytes,
        long dirtyBytes,
        long coldRecords,
        long coldBytes,
        long runs,
        long segments,
        long hotHits,
        long coldReads,
        long flushes,
        long flushedBytes,
        long compactions,
        long compactedBytes,
        long compactionReadBytes,
        long expiredRuns,
        long expiredBytes,
        long evictedBytes,
        long stalls,
        long stallNanos,
        long longestStallNanos,
        long compactionStallNanos) {

    /** Returns the counters of a store that has done nothing. */
    public static StoreStats empty() {
        return new StoreStats(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
}
