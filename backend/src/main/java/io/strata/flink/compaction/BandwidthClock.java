/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

/** The time by which a {@link Bandwidth} is limited; tests have their own. */
public interface BandwidthClock {

    /** The machine's. */
    BandwidthClock SYSTEM = new SystemBandwidthClock();

    /** Returns the time since some moment. */
    long nanos();

    /** Lets the calling thread sleep for that long, or less. */
    void sleep(long nanos);
}
