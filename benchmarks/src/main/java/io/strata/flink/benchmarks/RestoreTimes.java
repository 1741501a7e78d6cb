/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.util.Locale;

/**
 * What one restore took.
 *
 * @param openNanos until the backend had answered a first read
 * @param getsNanos the random reads after it, all together
 * @param checkpointBytes the size of the checkpoints
 * @param readBytes what was read of them
 */
record RestoreTimes(long openNanos, long getsNanos, long checkpointBytes, long readBytes) {

    /** Until all random reads were done. */
    long totalNanos() {
        return openNanos + getsNanos;
    }

    /** Writes it as one line. */
    String toLine() {
        return String.format(
                Locale.ROOT, "%d %d %d %d", openNanos, getsNanos, checkpointBytes, readBytes);
    }

    /** The other way round. */
    static RestoreTimes ofLine(String line) {
        String[] numbers = line.split(" ", -1);
        return new RestoreTimes(
                Long.parseLong(numbers[0]),
                Long.parseLong(numbers[1]),
                Long.parseLong(numbers[2]),
                Long.parseLong(numbers[3]));
    }
}
