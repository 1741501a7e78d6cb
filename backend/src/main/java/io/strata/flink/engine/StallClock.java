/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

/** The clock that stalls are timed with; nothing that the store decides depends on it. */
final class StallClock {

    private StallClock() {}

    static long nanos() {
        return System.nanoTime();
    }
}
