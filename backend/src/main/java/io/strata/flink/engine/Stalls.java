/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

/**
 * The times that the task has waited for one kind of background work: how often, how long
 * altogether, and how long at most. Waits that follow each other without work between them are one
 * stall. Task thread only.
 */
final class Stalls {

    private boolean waiting;
    private long startNanos;
    private long count;
    private long nanos;
    private long longestNanos;

    /** A wait begins, if none is under way. */
    void begin() {
        if (!waiting) {
            waiting = true;
            startNanos = StallClock.nanos();
        }
    }

    /** The task goes on working, if it has waited. */
    void end() {
        if (waiting) {
            waiting = false;
            long waited = StallClock.nanos() - startNanos;
            count++;
            nanos += waited;
            longestNanos = Math.max(longestNanos, waited);
        }
    }

    long count() {
        return count;
    }

    long nanos() {
        return nanos;
    }

    long longestNanos() {
        return longestNanos;
    }
}
