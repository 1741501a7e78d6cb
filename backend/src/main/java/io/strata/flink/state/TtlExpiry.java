/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.compaction.Expiry;
import io.strata.flink.compaction.TimestampedValues;

/** Judges values by the time to live of their state, as Flink does. */
class TtlExpiry extends TimestampedValues {

    private final TimeToLive timeToLive;
    private long now;

    /**
     * Creates a judge.
     *
     * @param flagged whether a null flag comes before the timestamp
     */
    TtlExpiry(TimeToLive timeToLive, boolean flagged) {
        super(flagged);
        this.timeToLive = timeToLive;
        refresh();
    }

    final TimeToLive timeToLive() {
        return timeToLive;
    }

    @Override
    public final void refresh() {
        now = timeToLive.clock().currentTimestamp();
    }

    @Override
    public final boolean isExpired(long timestamp) {
        return timestamp != NO_TTL && timeToLive.isExpired(timestamp, now);
    }

    @Override
    public final long timeToLiveMillis() {
        return timeToLive.millis();
    }

    @Override
    public final long now() {
        return now;
    }

    @Override
    public Expiry always() {
        return new TtlExpiry(timeToLive.always(), isFlagged());
    }
}
