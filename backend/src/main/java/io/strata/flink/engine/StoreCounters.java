/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

/** What a store counts while it works. Task thread only; published as {@link StoreStats}. */
final class StoreCounters {

    long hotHits;
    long coldReads;
    long flushes;
    long flushedBytes;
    long evictedBytes;

    /** Waits for flushes, when nothing clean was left to evict. */
    final Stalls flushStalls = new Stalls();

    /** Waits for compactions that had fallen behind. */
    final Stalls compactionStalls = new Stalls();
}
