/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import java.util.function.BooleanSupplier;

/**
 * How many bytes merges may read and write in a second, all that share it together. Thread-safe.
 *
 * <p>Who has taken bytes waits until they have become due at that rate. What was not taken for a
 * while may be made up for, up to {@link #BURST_NANOS}.
 */
public final class Bandwidth {

    /** No limit. */
    public static final Bandwidth UNLIMITED = new Bandwidth(0, BandwidthClock.SYSTEM);

    /** So much time's bytes may pass at once. */
    static final long BURST_NANOS = 50_000_000;

    private static final double NANOS_PER_SECOND = 1e9;

    /** Whoever waits looks up after so long to see whether it still has to. */
    private static final long LOOK_UP_NANOS = 10_000_000;

    private final long bytesPerSecond;
    private final BandwidthClock clock;
    private final long origin;

    /** When all that was taken is due, in nanoseconds after the origin. */
    private double dueNanos;

    /**
     * Creates a limit.
     *
     * @param bytesPerSecond 0 for none
     */
    public Bandwidth(long bytesPerSecond, BandwidthClock clock) {
        this.bytesPerSecond = bytesPerSecond;
        this.clock = clock;
        this.origin = clock.nanos();
    }

    /**
     * Takes bytes and waits until they are due.
     *
     * @param hurry asked before and while it waits: when it says true, there is no wait, and what
     *     is taken from then on does not count
     */
    public void take(long bytes, BooleanSupplier hurry) {
        if (bytesPerSecond == 0 || hurry.getAsBoolean()) {
            return;
        }
        double due = due(bytes);
        while (true) {
            long left = (long) due - (clock.nanos() - origin);
            if (left <= 0 || hurry.getAsBoolean()) {
                return;
            }
            clock.sleep(Math.min(left, LOOK_UP_NANOS));
        }
    }

    private synchronized double due(long bytes) {
        double earliest = (double) (clock.nanos() - origin) - BURST_NANOS;
        dueNanos = Math.max(dueNanos, earliest) + bytes * NANOS_PER_SECOND / bytesPerSecond;
        return dueNanos;
    }
}
