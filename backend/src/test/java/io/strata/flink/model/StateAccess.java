/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.runtime.state.internal.InternalAppendingState;
import org.apache.flink.runtime.state.internal.InternalListState;

/** Reads and changes a state of any kind at its current key and namespace. */
@SuppressWarnings("unchecked")
final class StateAccess {

    private StateAccess() {}

    static String read(StateSpec spec, State state) throws Exception {
        return switch (spec.kind()) {
            case VALUE -> Observed.of(((ValueState<Object>) state).value());
            case MAP -> Observed.of(contents((MapState<Object, Object>) state));
            default ->
                    Observed.of(
                            ((InternalAppendingState<?, ?, Object, Object, Object>) state).get());
        };
    }

    /** Reads, changes in place where the type allows it, and updates. */
    static void change(StateSpec spec, State state, long recipe) throws Exception {
        switch (spec.kind()) {
            case VALUE -> changeValue(spec, (ValueState<Object>) state, recipe);
            case MAP -> {
                MapState<Object, Object> map = (MapState<Object, Object>) state;
                Object userKey = spec.userKeys().create(recipe & 3);
                Object value = map.get(userKey);
                map.put(userKey, changed(spec, value, recipe));
            }
            case AGGREGATING ->
                    ((InternalAppendingState<?, ?, Object, Object, Object>) state).add(recipe);
            default ->
                    ((InternalAppendingState<?, ?, Object, Object, Object>) state)
                            .add(spec.values().create(recipe));
        }
    }

    /** Replaces the whole content by what {@link #stored} makes of the recipe. */
    static void replace(StateSpec spec, State state, long recipe) throws Exception {
        Object stored = stored(spec, recipe);
        switch (spec.kind()) {
            case VALUE -> ((ValueState<Object>) state).update(stored);
            case LIST -> ((InternalListState<?, ?, Object>) state).update((List<Object>) stored);
            case MAP -> {
                state.clear();
                ((MapState<Object, Object>) state).putAll((Map<Object, Object>) stored);
            }
            default ->
                    ((InternalAppendingState<?, ?, Object, Object, Object>) state)
                            .updateInternal(stored);
        }
    }

    /** Returns an internal value of the state, never empty. */
    static Object stored(StateSpec spec, long recipe) {
        return switch (spec.kind()) {
            case LIST -> elements(spec, recipe, 1 + (int) (recipe & 3));
            case MAP -> entries(spec, recipe, 1 + (int) (recipe & 3));
            default -> spec.values().create(recipe);
        };
    }

    static List<Object> elements(StateSpec spec, long recipe, int count) {
        List<Object> elements = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            elements.add(spec.values().create(recipe + i));
        }
        return elements;
    }

    static Map<Object, Object> entries(StateSpec spec, long recipe, int count) {
        Map<Object, Object> entries = new HashMap<>();
        for (int i = 0; i < count; i++) {
            Object value = (recipe + i) % 11 == 0 ? null : spec.values().create(recipe + i);
            entries.put(spec.userKeys().create(recipe % 50 + i), value);
        }
        return entries;
    }

    static Map<Object, Object> contents(MapState<Object, Object> map) throws Exception {
        Map<Object, Object> contents = new HashMap<>();
        for (Map.Entry<Object, Object> entry : map.entries()) {
            if (contents.containsKey(entry.getKey())) {
                throw new IllegalStateException("user key twice: " + entry.getKey());
            }
            contents.put(entry.getKey(), entry.getValue());
        }
        return contents;
    }

    /** The heap backend lists a key whose map became empty; others do not. Flink allows both. */
    static void forgetEmptyMap(MapState<?, ?> map) throws Exception {
        if (map.isEmpty()) {
            map.clear();
        }
    }

    static Object changed(StateSpec spec, Object value, long recipe) {
        return value == null ? spec.values().create(recipe) : spec.values().mutate(value, recipe);
    }

    private static void changeValue(StateSpec spec, ValueState<Object> state, long recipe)
            throws Exception {
        state.update(changed(spec, state.value(), recipe));
    }
}
