/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

/**
 * One record of the test job: the {@code sequence}th of its lane. All of it follows from lane and
 * sequence number, so that a test can work out the job's results without Flink.
 *
 * @param key a key of this lane only, so that the events of one key stay in order
 * @param sequence position in the lane, from 0
 * @param amount between 0 and 999
 * @param timeMillis event time; ascends within a lane
 */
public record Event(int key, long sequence, long amount, long timeMillis) {

    static final int LANES = 6;
    static final int KEYS_PER_LANE = 20;
    static final long STEP_MILLIS = 10;

    static Event of(int lane, long sequence) {
        long hash = mix(sequence * LANES + lane);
        int key = lane * KEYS_PER_LANE + (int) Long.remainderUnsigned(hash, KEYS_PER_LANE);
        return new Event(key, sequence, (hash >>> 40) % 1000, sequence * STEP_MILLIS);
    }

    /** Spreads the bits of a number over all 64. */
    static long mix(long number) {
        long hash = (number + 1) * 0x9E3779B97F4A7C15L;
        hash = (hash ^ (hash >>> 32)) * 0xD6E8FEB86659FD93L;
        return hash ^ (hash >>> 32);
    }
}
