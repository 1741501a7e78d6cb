/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.ttl;

import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.apache.flink.runtime.state.ttl.TtlValue;

/**
 * The event time of one backend, as a clock for state with a time to live.
 *
 * <p>It never goes back. While it is {@link EventTime#UNSET} nothing expires, and what is written
 * then gets that as its timestamp: {@link #timestampOf} says what it stands for later. Changed by
 * the task thread, read by any.
 */
public final class EventTimeClock implements TtlTimeProvider {

    private volatile EventTime now;
    private volatile long time;

    /** Creates a clock that goes on from a checkpoint. */
    public EventTimeClock(EventTime restored) {
        this.now = restored;
        this.time = restored.time();
    }

    /**
     * Moves on, if the given time is later than the present one.
     *
     * @return true if this was the first time that any was told
     */
    public boolean advance(long timestampMillis) {
        if (timestampMillis <= time) {
            return false;
        }
        boolean first = !now.isSet();
        now = new EventTime(first ? timestampMillis : now.start(), timestampMillis);
        time = timestampMillis;
        return first;
    }

    @Override
    public long currentTimestamp() {
        return time;
    }

    /** Returns what a checkpoint holds of this clock. */
    public EventTime now() {
        return now;
    }

    /** Returns the time that a written timestamp stands for. */
    public long timestampOf(long written) {
        return written == EventTime.UNSET ? now.start() : written;
    }

    /** Returns the value with the time that its timestamp stands for. */
    public <T> TtlValue<T> timed(TtlValue<T> value) {
        long written = value.getLastAccessTimestamp();
        long timestamp = timestampOf(written);
        return timestamp == written ? value : new TtlValue<>(value.getUserValue(), timestamp);
    }
}
