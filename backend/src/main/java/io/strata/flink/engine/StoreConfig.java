/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.Bandwidth;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.hot.HeapLease;
import io.strata.flink.io.StorageDirectory;
import io.strata.flink.pagecache.PageCache;
import io.strata.flink.segment.SegmentOptions;
import java.util.concurrent.Executor;

/**
 * All that a {@link TieredStore} is made from.
 *
 * @param directory where its segments lie; the store deletes what it created, not the directory
 * @param pageCache the cache for point lookups; the store closes it
 * @param heapLease the share of the heap budget; the store closes it
 * @param flushExecutor runs flushes; must not run them in the calling thread
 * @param compactionExecutor runs compactions; must not run them in the calling thread
 * @param segmentOptions how segments are written
 * @param keyGroups the key groups that the store is responsible for
 * @param tuning when background work happens
 * @param compactionBandwidth what compactions may read and write in a second
 */
public record StoreConfig(
        StorageDirectory directory,
        PageCache pageCache,
        HeapLease heapLease,
        Executor flushExecutor,
        Executor compactionExecutor,
        SegmentOptions segmentOptions,
        KeyGroupSpan keyGroups,
        StoreTuning tuning,
        Bandwidth compactionBandwidth) {

    /** Makes a store whose compactions are as fast as they can be. */
    public StoreConfig(
            StorageDirectory directory,
            PageCache pageCache,
            HeapLease heapLease,
            Executor flushExecutor,
            Executor compactionExecutor,
            SegmentOptions segmentOptions,
            KeyGroupSpan keyGroups,
            StoreTuning tuning) {
        this(
                directory,
                pageCache,
                heapLease,
                flushExecutor,
                compactionExecutor,
                segmentOptions,
                keyGroups,
                tuning,
                Bandwidth.UNLIMITED);
    }
}
