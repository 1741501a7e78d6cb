/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

/**
 * What the measured state looks like and what it may use.
 *
 * @param keys entries: values, or map entries, or list elements at the start
 * @param valueBytes length of each value, random bytes
 * @param hotMib budget of Strata's hot tier
 * @param managedMib managed memory: block cache and write buffers of RocksDB, page cache of Strata
 * @param checkpointMillis time from the start of one checkpoint to that of the next; 0 for none
 */
public record WorkloadOptions(
        long keys, int valueBytes, int hotMib, int managedMib, int checkpointMillis) {}
