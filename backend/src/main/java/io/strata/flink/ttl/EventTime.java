/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.ttl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot.BackendStateType;

/**
 * How far the event time of one backend is, as a checkpoint holds it.
 *
 * <p>It travels as an option of Flink's own meta info of every keyed state, which checkpoints and
 * savepoints of all kinds hold and other backends ignore: {@code strata.event-time}, start and time
 * as decimal numbers with a colon between.
 *
 * @param start what the time was when it was first told, in milliseconds; {@link #UNSET} before
 * @param time how far it is, in milliseconds; {@link #UNSET} before it was first told
 */
public record EventTime(long start, long time) {

    /** Time that was never told: older than any. Flink uses the same for watermarks. */
    public static final long UNSET = Long.MIN_VALUE;

    /** The event time of a new job. */
    public static final EventTime NONE = new EventTime(UNSET, UNSET);

    static final String OPTION = "strata.event-time";

    public EventTime {
        if ((start == UNSET) != (time == UNSET)) {
            throw new IllegalArgumentException("event time from " + start + " to " + time);
        }
    }

    /** Tells whether the job has told any event time. */
    public boolean isSet() {
        return time != UNSET;
    }

    /**
     * Joins the event times of two backends whose state comes together in one: the earlier time, as
     * of watermarks, so that nothing expires early, and the later start for the same reason.
     */
    public EventTime joinedWith(EventTime other) {
        return isSet() && other.isSet()
                ? new EventTime(Math.max(start, other.start), Math.min(time, other.time))
                : NONE;
    }

    /** Returns the meta info of states with this event time in that of each keyed state. */
    public List<StateMetaInfoSnapshot> addTo(List<StateMetaInfoSnapshot> states) {
        return isSet() ? states.stream().map(this::addTo).toList() : states;
    }

    private StateMetaInfoSnapshot addTo(StateMetaInfoSnapshot state) {
        if (state.getBackendStateType() != BackendStateType.KEY_VALUE) {
            return state;
        }
        Map<String, String> options = new HashMap<>(state.getOptionsImmutable());
        options.put(OPTION, start + ":" + time);
        Map<String, TypeSerializer<?>> serializers = new HashMap<>();
        for (String key : state.getSerializerSnapshotsImmutable().keySet()) {
            serializers.put(key, state.getTypeSerializer(key));
        }
        return new StateMetaInfoSnapshot(
                state.getName(),
                state.getBackendStateType(),
                options,
                state.getSerializerSnapshotsImmutable(),
                serializers);
    }

    /**
     * Returns the event time of the backend that wrote the meta info of these states.
     *
     * @throws IllegalArgumentException if it does not read as one
     */
    public static EventTime of(List<StateMetaInfoSnapshot> states) {
        List<EventTime> found = new ArrayList<>();
        for (StateMetaInfoSnapshot state : states) {
            String option = state.getOption(OPTION);
            if (option != null) {
                found.add(parse(state.getName(), option));
            }
        }
        return found.stream().reduce(EventTime::joinedWith).orElse(NONE);
    }

    private static EventTime parse(String stateName, String option) {
        int colon = option.indexOf(':');
        try {
            return new EventTime(
                    Long.parseLong(option, 0, Math.max(0, colon), 10),
                    Long.parseLong(option, colon + 1, option.length(), 10));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "State '%s': the event time of the checkpoint (%s) is '%s', expected two numbers with a colon between."
                            .formatted(stateName, OPTION, option),
                    e);
        }
    }
}
