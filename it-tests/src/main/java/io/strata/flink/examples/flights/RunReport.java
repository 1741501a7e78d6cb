/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import java.time.Duration;
import java.util.Optional;

/**
 * What one run came to: a row of the table.
 *
 * @param backend name of the backend
 * @param flights flights of the input
 * @param elapsed the whole run, with the restart and the flights read again after it
 * @param checkpoints completed ones
 * @param medianCheckpointBytes bytes that one checkpoint wrote, the median
 * @param tiers Strata's tiers when they held most; empty for other backends
 * @param restarts how often the job was restored from a checkpoint
 * @param results all that the job wrote
 */
record RunReport(
        String backend,
        long flights,
        Duration elapsed,
        long checkpoints,
        long medianCheckpointBytes,
        Optional<Tiers> tiers,
        long restarts,
        ResultLines results) {

    long flightsPerSecond() {
        return Math.round(flights / (elapsed.toNanos() / 1e9));
    }
}
