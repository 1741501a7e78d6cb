/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

/**
 * The clock that stalls are timed with, and the intervals in which the heap is divided anew;
 * nothing that the store decides about state depends on it.
 */
final class StallClock {

    private StallClock() {}

    static long nanos() {
        return System.nanoTime();
    }
}
