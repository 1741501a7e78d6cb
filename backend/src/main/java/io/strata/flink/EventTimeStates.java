/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import io.strata.flink.ttl.EventTimeClock;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

/**
 * The states of one backend whose time to live is counted from the end of a window: those that
 * windows keep for themselves, when expiry goes by event time. Task thread only.
 *
 * <p>An event may be far ahead of event time, and so may its window. Counted from when it was
 * written, its state might expire before the window fires.
 */
final class EventTimeStates {

    /** Makes a state whose time to live goes by the given clock. */
    @FunctionalInterface
    interface Factory {
        State create(TtlTimeProvider time) throws Exception;
    }

    private final EventTimeClock clock;
    private final Function<String, Object> namespaceOf;
    private final Map<String, State> states = new HashMap<>();

    /**
     * @param namespaceOf returns the current namespace of the state of that name
     */
    EventTimeStates(EventTimeClock clock, Function<String, Object> namespaceOf) {
        this.clock = clock;
        this.namespaceOf = namespaceOf;
    }

    static boolean areThese(
            TypeSerializer<?> namespaceSerializer, StateDescriptor<?, ?> descriptor) {
        return descriptor.getTtlConfig().isEnabled()
                && namespaceSerializer instanceof TimeWindow.Serializer;
    }

    /** Returns the state of that name, always the same one. */
    State getOrCreate(String stateName, Factory factory) throws Exception {
        State state = states.get(stateName);
        if (state == null) {
            state = factory.create(() -> timeOf(namespaceOf.apply(stateName)));
            states.put(stateName, state);
        }
        return state;
    }

    /** Event time, or the last moment of a window that has not come to its end. */
    private long timeOf(Object namespace) {
        long now = clock.currentTimestamp();
        return namespace instanceof TimeWindow window ? Math.max(now, window.maxTimestamp()) : now;
    }
}
