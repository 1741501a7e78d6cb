/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.queryablestate.client.state.serialization.KvStateSerializer;
import org.apache.flink.runtime.state.StateEntry;
import org.apache.flink.runtime.state.internal.InternalAggregatingState;
import org.apache.flink.runtime.state.internal.InternalAppendingState;
import org.apache.flink.runtime.state.internal.InternalKvState;
import org.apache.flink.runtime.state.internal.InternalKvState.StateIncrementalVisitor;
import org.apache.flink.runtime.state.internal.InternalListState;
import org.apache.flink.runtime.state.internal.InternalMapState;
import org.apache.flink.runtime.state.internal.InternalMergingState;
import org.apache.flink.runtime.state.internal.InternalReducingState;
import org.apache.flink.runtime.state.internal.InternalValueState;

/** One random operation on a state of each kind, and a text of all that it returned. */
enum StateScript {
    VALUE {
        @Override
        StateDescriptor<?, ?> descriptor() {
            return new ValueStateDescriptor<>("value", StringSerializer.INSTANCE);
        }

        @Override
        String step(InternalKvState<Integer, Integer, ?> kvState, Random random) throws Exception {
            var state = (InternalValueState<Integer, Integer, String>) kvState;
            return switch (random.nextInt(4)) {
                case 0 -> "value " + state.value();
                case 1 -> {
                    state.update(null);
                    yield "update null";
                }
                default -> {
                    String value = text(random);
                    state.update(value);
                    yield "update " + value + ", value " + state.value();
                }
            };
        }
    },

    /** A mutable value with a default: changed in place, then updated. */
    VALUE_IN_PLACE {
        @Override
        @SuppressWarnings("deprecation") // the only way to give a default value
        StateDescriptor<?, ?> descriptor() {
            return new ValueStateDescriptor<>(
                    "in-place", new ListSerializer<>(IntSerializer.INSTANCE), List.of(-1));
        }

        @Override
        String step(InternalKvState<Integer, Integer, ?> kvState, Random random) throws Exception {
            var state = (InternalValueState<Integer, Integer, List<Integer>>) kvState;
            List<Integer> value = state.value();
            String before = value.toString();
            if (random.nextBoolean()) {
                value.add(random.nextInt(100));
                state.update(value);
            }
            return "value " + before + " then " + state.value();
        }
    },

    LIST {
        @Override
        StateDescriptor<?, ?> descriptor() {
            return new ListStateDescriptor<>("list", StringSerializer.INSTANCE);
        }

        @Override
        String step(InternalKvState<Integer, Integer, ?> kvState, Random random) throws Exception {
            var state = (InternalListState<Integer, Integer, String>) kvState;
            return switch (random.nextInt(10)) {
                case 0 -> "get " + shown(state.get());
                case 1 -> "getInternal " + state.getInternal();
                case 2 -> {
                    state.addAll(texts(random, 0));
                    yield "addAll, get " + shown(state.get());
                }
                case 3 -> {
                    state.update(texts(random, 0));
                    yield "update, get " + shown(state.get());
                }
                case 4 -> {
                    state.updateInternal(texts(random, 1));
                    yield "updateInternal";
                }
                case 5 -> merge(state, random) + shown(state.get());
                default -> {
                    String value = text(random);
                    state.add(value);
                    yield "add " + value;
                }
            };
        }
    },

    MAP {
        @Override
        StateDescriptor<?, ?> descriptor() {
            return new MapStateDescriptor<>(
                    "map", IntSerializer.INSTANCE, StringSerializer.INSTANCE);
        }

        @Override
        String step(InternalKvState<Integer, Integer, ?> kvState, Random random) throws Exception {
            var state = (InternalMapState<Integer, Integer, Integer, String>) kvState;
            int userKey = random.nextInt(20);
            return switch (random.nextInt(14)) {
                case 0 -> "get " + state.get(userKey);
                case 1 -> "contains " + state.contains(userKey);
                case 2 -> "isEmpty " + state.isEmpty();
                case 3 -> "entries " + entries(state.entries().iterator());
                case 4 -> "keys " + sorted(state.keys());
                case 5 -> "values " + sorted(state.values());
                case 6 -> walk(state, random.nextInt());
                case 7 -> {
                    state.put(userKey, null);
                    yield "put null at " + userKey + ", contains " + state.contains(userKey);
                }
                case 8 -> {
                    Map<Integer, String> all = new HashMap<>();
                    texts(random, 1).forEach(text -> all.put(random.nextInt(20), text));
                    state.putAll(all);
                    yield "putAll " + all;
                }
                case 9, 10 -> {
                    state.remove(userKey);
                    yield "remove " + userKey + ", isEmpty " + state.isEmpty();
                }
                default -> {
                    String value = text(random);
                    state.put(userKey, value);
                    yield "put " + userKey + "=" + value;
                }
            };
        }

        /** Iterates, removing or changing what the salt says, whatever the order. */
        private String walk(InternalMapState<Integer, Integer, Integer, String> state, int salt)
                throws Exception {
            Map<Integer, String> seen = new TreeMap<>();
            Iterator<Map.Entry<Integer, String>> walk = state.iterator();
            while (walk.hasNext()) {
                Map.Entry<Integer, String> entry = walk.next();
                seen.put(entry.getKey(), entry.getValue());
                switch (Math.floorMod(entry.getKey() * 31 + salt, 5)) {
                    case 0 -> walk.remove();
                    case 1 -> entry.setValue("set" + salt);
                    default -> {}
                }
            }
            return "walk " + seen + " leaves " + entries(state.iterator());
        }
    },

    REDUCING {
        @Override
        StateDescriptor<?, ?> descriptor() {
            return new ReducingStateDescriptor<>(
                    "reducing", (a, b) -> a + "+" + b, StringSerializer.INSTANCE);
        }

        @Override
        String step(InternalKvState<Integer, Integer, ?> kvState, Random random) throws Exception {
            var state = (InternalReducingState<Integer, Integer, String>) kvState;
            return appendOrMerge(state, random, text(random)) + state.get();
        }
    },

    /** The accumulator is a list that the function changes in place. */
    AGGREGATING {
        @Override
        StateDescriptor<?, ?> descriptor() {
            return new AggregatingStateDescriptor<>(
                    "aggregating", new Collect(), new ListSerializer<>(StringSerializer.INSTANCE));
        }

        @Override
        String step(InternalKvState<Integer, Integer, ?> kvState, Random random) throws Exception {
            var state =
                    (InternalAggregatingState<Integer, Integer, String, List<String>, String>)
                            kvState;
            return appendOrMerge(state, random, text(random)) + state.get();
        }
    };

    private static final class Collect implements AggregateFunction<String, List<String>, String> {
        @Override
        public List<String> createAccumulator() {
            return new ArrayList<>();
        }

        @Override
        public List<String> add(String value, List<String> accumulator) {
            accumulator.add(value);
            return accumulator;
        }

        @Override
        public String getResult(List<String> accumulator) {
            return accumulator.toString();
        }

        @Override
        public List<String> merge(List<String> a, List<String> b) {
            a.addAll(b);
            return a;
        }
    }

    abstract StateDescriptor<?, ?> descriptor();

    /** Does one operation that only this kind of state has. */
    abstract String step(InternalKvState<Integer, Integer, ?> state, Random random)
            throws Exception;

    /** Does one operation. */
    final String run(
            InternalKvState<Integer, Integer, ?> state, int key, int namespace, Random random)
            throws Exception {
        return switch (random.nextInt(40)) {
            case 0, 1 -> {
                state.clear();
                yield "clear";
            }
            case 2, 3 -> "serialized " + serialized(state, key, namespace);
            case 4 -> visit(state, random.nextInt(8), -1);
            case 5 -> visit(state, 1 + random.nextInt(8), random.nextInt(1_000));
            default -> step(state, random);
        };
    }

    private static <SV> String serialized(
            InternalKvState<Integer, Integer, SV> state, int key, int namespace) throws Exception {
        byte[] at =
                KvStateSerializer.serializeKeyAndNamespace(
                        key, IntSerializer.INSTANCE, namespace, IntSerializer.INSTANCE);
        byte[] bytes =
                state.getSerializedValue(
                        at,
                        IntSerializer.INSTANCE,
                        IntSerializer.INSTANCE,
                        state.getValueSerializer());
        if (bytes != null && state instanceof InternalMapState) {
            Map<Integer, String> map =
                    KvStateSerializer.deserializeMap(
                            bytes, IntSerializer.INSTANCE, StringSerializer.INSTANCE);
            // hashmap keeps a map that was emptied through its iterator
            return map.isEmpty() ? "null" : new TreeMap<>(map).toString();
        }
        return Arrays.toString(bytes);
    }

    /** Visits all entries; with a salt, removes or changes some of them. */
    private static <SV> String visit(
            InternalKvState<Integer, Integer, SV> state, int batch, int salt) {
        Map<String, String> seen = new TreeMap<>();
        StateIncrementalVisitor<Integer, Integer, SV> visitor =
                state.getStateIncrementalVisitor(batch);
        while (visitor.hasNext()) {
            for (StateEntry<Integer, Integer, SV> entry : List.copyOf(visitor.nextEntries())) {
                if (entry.getState() instanceof Map<?, ?> map && map.isEmpty()) {
                    continue; // as above
                }
                String before = seen.put(entry.getKey() + "/" + entry.getNamespace(), show(entry));
                if (before != null) {
                    throw new AssertionError(entry.getKey() + " was visited twice");
                }
                int choice = salt < 0 ? 9 : (entry.getKey() * 7 + entry.getNamespace() + salt) % 6;
                if (choice == 0) {
                    visitor.remove(entry);
                } else if (choice == 1) {
                    visitor.update(entry, state.getValueSerializer().copy(entry.getState()));
                }
            }
        }
        return "visit " + salt + " " + seen;
    }

    private static String show(StateEntry<?, ?, ?> entry) {
        Object value = entry.getState();
        return value instanceof Map<?, ?> map ? new TreeMap<>(map).toString() : value.toString();
    }

    private static <IN, SV> String appendOrMerge(
            InternalMergingState<Integer, Integer, IN, SV, ?> state, Random random, IN value)
            throws Exception {
        switch (random.nextInt(8)) {
            case 0 -> {
                return "get ";
            }
            case 1 -> {
                state.add(null);
                return "add null, get ";
            }
            case 2 -> {
                return merge(state, random);
            }
            case 3 -> {
                return update(state);
            }
            default -> {
                state.add(value);
                return "add " + value + ", get ";
            }
        }
    }

    private static <SV> String update(InternalAppendingState<Integer, Integer, ?, SV, ?> state)
            throws Exception {
        SV value = state.getInternal();
        if (value != null) { // hashmap would keep an entry that holds null
            state.updateInternal(value);
        }
        return "updateInternal, get ";
    }

    private static String merge(
            InternalMergingState<Integer, Integer, ?, ?, ?> state, Random random) throws Exception {
        int target = random.nextInt(4);
        List<Integer> sources = new ArrayList<>();
        for (int source = 3; source >= 0; source--) {
            if (random.nextBoolean()) {
                sources.add(source);
            }
        }
        state.mergeNamespaces(target, sources);
        state.setCurrentNamespace(target);
        return "merge " + sources + " into " + target + ", get ";
    }

    private static String text(Random random) {
        return "t" + random.nextInt(50) + ",".repeat(random.nextInt(3));
    }

    private static List<String> texts(Random random, int least) {
        List<String> texts = new ArrayList<>();
        for (int i = least + random.nextInt(4); i > 0; i--) {
            texts.add(text(random));
        }
        return texts;
    }

    private static Map<Integer, String> entries(Iterator<Map.Entry<Integer, String>> walk) {
        Map<Integer, String> all = new TreeMap<>();
        walk.forEachRemaining(
                entry -> {
                    if (all.containsKey(entry.getKey())) {
                        throw new AssertionError(entry.getKey() + " was iterated over twice");
                    }
                    all.put(entry.getKey(), entry.getValue());
                });
        return all;
    }

    /** A list that is streamed has no text of its own. */
    private static String shown(Iterable<String> list) {
        List<String> all = new ArrayList<>();
        if (list == null) {
            return "null";
        }
        list.forEach(all::add);
        return all.toString();
    }

    private static List<String> sorted(Iterable<?> values) {
        List<String> all = new ArrayList<>();
        values.forEach(value -> all.add(String.valueOf(value)));
        all.sort(null);
        return all;
    }
}
