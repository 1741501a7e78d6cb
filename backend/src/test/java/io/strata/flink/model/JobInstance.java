/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.internal.InternalKvState;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;

/** One parallel instance of the job: a keyed backend and the states it has used so far. */
final class JobInstance {
    private final BackendUnderTest subject;
    private final AbstractKeyedStateBackend<Object> backend;
    private final Map<String, State> states = new HashMap<>();
    private KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<Object, Object>> timers;
    private boolean betweenRecords = true;

    JobInstance(BackendUnderTest subject, AbstractKeyedStateBackend<Object> backend) {
        this.subject = subject;
        this.backend = backend;
    }

    AbstractKeyedStateBackend<Object> backend() {
        return backend;
    }

    /** Returns the state; registers it when it is first used. */
    State state(StateSpec spec) throws Exception {
        State state = states.get(spec.name());
        if (state == null) {
            state =
                    subject.decorate(
                            spec,
                            backend.getOrCreateKeyedState(
                                    spec.namespaces().serializer(), spec.descriptor()));
            states.put(spec.name(), state);
        }
        return state;
    }

    /**
     * Returns the state, set to the key and namespace. As in a user function, a key that is current
     * already is set again only for a new record.
     */
    @SuppressWarnings("unchecked")
    State state(StateSpec spec, Object key, Object namespace) throws Exception {
        State state = state(spec);
        if (betweenRecords || !key.equals(backend.getCurrentKey())) {
            backend.setCurrentKey(key);
            betweenRecords = false;
        }
        ((InternalKvState<Object, Object, ?>) state).setCurrentNamespace(namespace);
        return state;
    }

    /** Ends the record: whatever comes next, such as a barrier, comes between two records. */
    void endRecord() {
        betweenRecords = true;
    }

    KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<Object, Object>> timers() {
        if (timers == null) {
            timers =
                    backend.create(
                            "timers",
                            new TimerSerializer<>(
                                    backend.getKeySerializer(), NamespaceType.WINDOW.serializer()));
        }
        return timers;
    }

    /** Returns every key and namespace of a state; a state not yet registered counts too. */
    List<Tuple2<Object, Object>> places(StateSpec spec) {
        try (Stream<Tuple2<Object, Object>> places = backend.getKeysAndNamespaces(spec.name())) {
            List<Tuple2<Object, Object>> found = new ArrayList<>();
            places.forEach(place -> found.add(Tuple2.of(place.f0, place.f1)));
            return found;
        }
    }

    /** Closes as a cancelled task does, or only disposes as tests do: either gives all back. */
    void close(boolean disposeOnly) throws IOException {
        if (!disposeOnly) {
            backend.close();
        }
        backend.dispose();
    }
}
