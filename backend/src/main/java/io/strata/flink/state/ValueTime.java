/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.ttl.EventTimeClock;
import javax.annotation.Nullable;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;

/**
 * What counts as time for the values of one state.
 *
 * @param eventTime the clock of state with a time to live; null when that is the machine's
 * @param timeToLive of the values; null when they do not expire
 */
record ValueTime(@Nullable EventTimeClock eventTime, @Nullable TimeToLive timeToLive) {

    /** Of values whose timestamps, if any, do not matter. */
    static final ValueTime NONE = new ValueTime(null, null);

    static ValueTime of(TtlTimeProvider clock, @Nullable TimeToLive timeToLive) {
        return new ValueTime(clock instanceof EventTimeClock event ? event : null, timeToLive);
    }
}
