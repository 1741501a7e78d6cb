/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.flink.api.common.state.MapState;

/** Operations on map states. */
final class MapOperations {

    private MapOperations() {}

    @SuppressWarnings("unchecked")
    private static MapState<Object, Object> state(KeyedJob job, Operation.Place at)
            throws Exception {
        return (MapState<Object, Object>) job.at(at);
    }

    record MapGet(Operation.Place at, long userKey) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            MapState<Object, Object> state = state(job, at);
            Object key = job.spec(at).userKeys().create(userKey);
            boolean contained = state.contains(key);
            return contained + " " + Observed.of(state.get(key)) + " " + state.isEmpty();
        }
    }

    record MapPut(Operation.Place at, long userKey, long recipe) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            StateSpec spec = job.spec(at);
            state(job, at).put(spec.userKeys().create(userKey), spec.values().create(recipe));
            return "";
        }
    }

    record MapPutNull(Operation.Place at, long userKey) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            MapState<Object, Object> state = state(job, at);
            Object key = job.spec(at).userKeys().create(userKey);
            state.put(key, null);
            return state.contains(key) + " " + state.get(key);
        }
    }

    /** Takes a value, changes it in place where it is mutable, and puts it back. */
    record MapChange(Operation.Place at, long userKey, long recipe) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            MapState<Object, Object> state = state(job, at);
            Object key = job.spec(at).userKeys().create(userKey);
            Object value = StateAccess.changed(job.spec(at), state.get(key), recipe);
            state.put(key, value);
            return Observed.of(value);
        }
    }

    record MapPutAll(Operation.Place at, long recipe, int count) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            state(job, at).putAll(StateAccess.entries(job.spec(at), recipe, count));
            return "";
        }
    }

    record MapRemove(Operation.Place at, long userKey) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            MapState<Object, Object> state = state(job, at);
            state.remove(job.spec(at).userKeys().create(userKey));
            return "";
        }
    }

    record MapIsEmpty(Operation.Place at) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            return String.valueOf(state(job, at).isEmpty());
        }
    }

    /** Reads user keys and values through their own views. */
    record MapViews(Operation.Place at) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            MapState<Object, Object> state = state(job, at);
            Map<Object, Object> keys = new HashMap<>();
            state.keys().forEach(key -> keys.merge(key, 1, (left, right) -> "twice"));
            Map<String, Object> values = new HashMap<>();
            state.values().forEach(v -> values.merge(Observed.of(v), 1, (l, r) -> (int) l + 1));
            return Observed.of(keys) + Observed.of(values);
        }
    }

    /** Iterates over the map and, by user key, leaves, removes or changes the entries. */
    record MapIterate(Operation.Place at, long recipe, boolean askTwice) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            StateSpec spec = job.spec(at);
            MapState<Object, Object> state = state(job, at);
            Map<Object, Object> seen = new HashMap<>();
            Iterator<Map.Entry<Object, Object>> entries = state.iterator();
            while (entries.hasNext() && (!askTwice || entries.hasNext())) {
                Map.Entry<Object, Object> entry = entries.next();
                seen.merge(entry.getKey(), Observed.of(entry.getValue()), (l, r) -> "twice");
                change(spec, entries, entry);
            }
            StateAccess.forgetEmptyMap(state);
            return Observed.of(seen) + " then " + Observed.of(StateAccess.contents(state));
        }

        private void change(
                StateSpec spec,
                Iterator<Map.Entry<Object, Object>> entries,
                Map.Entry<Object, Object> entry) {
            switch (Math.floorMod(entry.getKey().hashCode() * 31 + recipe, 5)) {
                case 0 -> entries.remove();
                case 1 -> entry.setValue(spec.values().create(recipe));
                case 2 -> entry.setValue(StateAccess.changed(spec, entry.getValue(), recipe));
                default -> {
                    // Left as it is.
                }
            }
        }
    }

    /** Removes through the iterator of the user keys, and leaves the iterator unfinished. */
    record MapRemoveSome(Operation.Place at, long recipe) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            MapState<Object, Object> state = state(job, at);
            Iterator<Object> keys = state.keys().iterator();
            while (keys.hasNext()) {
                if (Math.floorMod(keys.next().hashCode() + recipe, 3) == 0) {
                    keys.remove();
                }
            }
            Iterator<Map.Entry<Object, Object>> unfinished = state.iterator();
            boolean more = unfinished.hasNext();
            StateAccess.forgetEmptyMap(state);
            return more + Observed.of(StateAccess.contents(state));
        }
    }
}
