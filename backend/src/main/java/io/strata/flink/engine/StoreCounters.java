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
    long stalls;
    long stallNanos;
}
