/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.transfer;

/**
 * What a restore cost.
 *
 * @param segmentsOpened segments that the store got
 * @param bytesRead bytes read of checkpoint files: metadata, segments and timers; local copies
 *     count with their metadata and timers only, canonical savepoints not at all
 * @param bytesOwned bytes of the owned key groups in the segments: data, index and filters
 * @param recordsRewritten records written anew, which only canonical savepoints need
 * @param millis how long it took
 */
public record RestoreStats(
        long segmentsOpened, long bytesRead, long bytesOwned, long recordsRewritten, long millis) {}
