/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;

/**
 * A clock for TTL that stands still where the clock behind it goes backwards: what a backend once
 * found expired stays expired, and nothing expires before its time. Any thread may ask.
 */
final class SteadyTtlClock implements TtlTimeProvider {

    private final TtlTimeProvider source;
    private final AtomicLong latest = new AtomicLong(Long.MIN_VALUE);

    /**
     * Creates the clock of one backend.
     *
     * @param source any thread must be allowed to ask it
     */
    SteadyTtlClock(TtlTimeProvider source) {
        this.source = source;
    }

    @Override
    public long currentTimestamp() {
        long time = source.currentTimestamp();
        long before = latest.get();
        while (time > before) {
            if (latest.compareAndSet(before, time)) {
                return time;
            }
            before = latest.get();
        }
        return before;
    }
}
