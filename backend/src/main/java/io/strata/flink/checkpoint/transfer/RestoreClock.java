/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.transfer;

import java.util.concurrent.TimeUnit;

/** The clock that a restore is timed with. */
final class RestoreClock {

    private final long startNanos = System.nanoTime();

    /** Returns the milliseconds since the clock was made. */
    long millis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    }
}
