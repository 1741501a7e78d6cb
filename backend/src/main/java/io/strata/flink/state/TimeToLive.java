/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.ttl.EventTimeClock;
import javax.annotation.Nullable;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.StateTtlConfig.CleanupStrategies;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.ttl.TtlStateFactory.TtlSerializer;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.apache.flink.runtime.state.ttl.TtlUtils;

/**
 * How long the values of one state live. Immutable; any thread may ask.
 *
 * @param millis the time to live
 * @param clock never goes backwards; any thread may ask it
 * @param background whether what has expired goes without being touched. Where all background
 *     clean-up is disabled, it stays until it is read, or is left out of a full snapshot
 */
record TimeToLive(long millis, TtlTimeProvider clock, boolean background) {

    /**
     * Returns what a descriptor asks for, null when values do not expire.
     *
     * @param serializer of the state: only values that Flink has wrapped have a timestamp
     */
    @Nullable
    static TimeToLive of(
            StateTtlConfig config, TypeSerializer<?> serializer, TtlTimeProvider clock) {
        if (!config.isEnabled() || !TtlSerializer.isTtlStateSerializer(serializer)) {
            return null;
        }
        CleanupStrategies cleanup = config.getCleanupStrategies();
        boolean background =
                cleanup.inRocksdbCompactFilter() || cleanup.getIncrementalCleanupStrategy() != null;
        return new TimeToLive(config.getTimeToLive().toMillis(), clock, background);
    }

    /** Returns the same time to live for what must not hold anything that has expired. */
    TimeToLive always() {
        return new TimeToLive(millis, clock, true);
    }

    /** Tells whether what has this timestamp has expired at a time, as Flink decides it. */
    boolean isExpired(long timestamp, long now) {
        // what was written before event time was first told has a timestamp that stands for it
        long standsFor =
                clock instanceof EventTimeClock event ? event.timestampOf(timestamp) : timestamp;
        return background && TtlUtils.expired(standsFor, millis, now);
    }
}
