/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.state.AggregatingState;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingState;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

/** One state of a test's operator: what it is, how it changes, how it is read. */
@SuppressWarnings("unchecked")
record WrittenState(Kind kind, boolean windowed, Ttl ttl) {

    static final long TTL_MILLIS = 100;
    static final int NAMESPACES = 3;

    enum Kind {
        VALUE,
        LIST,
        MAP,
        REDUCING,
        AGGREGATING
    }

    enum Ttl {
        NONE,
        /**
         * Clean-up in full snapshots is not asked for; Strata leaves out what has expired anyway.
         */
        KEPT,
        /** Clean-up in full snapshots is asked for. */
        CLEANED
    }

    static List<WrittenState> all() {
        List<WrittenState> all = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (Ttl ttl : Ttl.values()) {
                all.add(new WrittenState(kind, false, ttl));
                all.add(new WrittenState(kind, true, ttl));
            }
        }
        return all;
    }

    String name() {
        return kind + (windowed ? "-window-" : "-") + ttl;
    }

    int namespaces() {
        return windowed ? NAMESPACES : 1;
    }

    Object namespace(int number) {
        return windowed ? new TimeWindow(number * 10L, number * 10L + 10) : VoidNamespace.INSTANCE;
    }

    TypeSerializer<Object> namespaceSerializer() {
        TypeSerializer<?> serializer =
                windowed ? new TimeWindow.Serializer() : VoidNamespaceSerializer.INSTANCE;
        return (TypeSerializer<Object>) serializer;
    }

    /**
     * @param cleaned whether clean-up in full snapshots is asked for in any case
     */
    StateDescriptor<?, ?> descriptor(boolean cleaned) {
        StringSerializer text = StringSerializer.INSTANCE;
        StateDescriptor<?, ?> descriptor =
                switch (kind) {
                    case VALUE -> new ValueStateDescriptor<>(name(), text);
                    case LIST -> new ListStateDescriptor<>(name(), text);
                    case MAP -> new MapStateDescriptor<>(name(), text, text);
                    case REDUCING ->
                            new ReducingStateDescriptor<>(
                                    name(), Long::sum, LongSerializer.INSTANCE);
                    case AGGREGATING -> new AggregatingStateDescriptor<>(name(), new Sum(), text);
                };
        if (ttl != Ttl.NONE) {
            descriptor.enableTimeToLive(ttlConfig(cleaned));
        }
        return descriptor;
    }

    private StateTtlConfig ttlConfig(boolean cleaned) {
        StateTtlConfig.Builder config =
                StateTtlConfig.newBuilder(Duration.ofMillis(TTL_MILLIS))
                        .disableCleanupInBackground();
        return (cleaned || ttl == Ttl.CLEANED ? config.cleanupFullSnapshot() : config).build();
    }

    /** Makes one change, decided by the recipe; null map values only if wanted. */
    void change(State state, long recipe, boolean nullValues) throws Exception {
        Random random = new Random(recipe);
        if (random.nextInt(10) == 0) {
            state.clear();
            return;
        }
        switch (kind) {
            case VALUE -> ((ValueState<String>) state).update(text(random));
            case LIST -> changeList((ListState<String>) state, random);
            case MAP -> changeMap((MapState<String, String>) state, random, nullValues);
            case REDUCING -> ((ReducingState<Long>) state).add(random.nextLong());
            case AGGREGATING -> ((AggregatingState<String, String>) state).add(text(random));
        }
    }

    private static void changeList(ListState<String> list, Random random) throws Exception {
        if (random.nextInt(6) == 0) {
            list.update(List.of(text(random), ",", text(random)));
        } else {
            list.add(text(random));
        }
    }

    private static void changeMap(MapState<String, String> map, Random random, boolean nullValues)
            throws Exception {
        String userKey = "u".repeat(random.nextInt(3)) + random.nextInt(6);
        switch (random.nextInt(6)) {
            case 0 -> map.remove(userKey);
            case 1 -> map.put(userKey, nullValues ? null : "");
            default -> map.put(userKey, text(random));
        }
    }

    /** Returns what a job sees; the empty text when there is nothing. */
    String read(State state) throws Exception {
        Object content =
                switch (kind) {
                    case VALUE -> ((ValueState<String>) state).value();
                    case LIST -> read(((ListState<String>) state).get());
                    case MAP -> read((MapState<String, String>) state);
                    case REDUCING -> ((ReducingState<Long>) state).get();
                    case AGGREGATING -> ((AggregatingState<String, String>) state).get();
                };
        return content == null ? "" : content.toString();
    }

    private static Object read(Iterable<String> list) {
        List<String> elements = new ArrayList<>();
        if (list != null) {
            list.forEach(elements::add);
        }
        return elements.isEmpty() ? null : elements;
    }

    private static Object read(MapState<String, String> map) throws Exception {
        Map<String, String> entries = new TreeMap<>();
        for (Map.Entry<String, String> entry : map.entries()) {
            entries.put(entry.getKey(), entry.getValue());
        }
        return entries.isEmpty() ? null : entries;
    }

    /** Some texts are larger than a page. */
    private static String text(Random random) {
        int length = random.nextInt(40) == 0 ? 3000 : random.nextInt(30);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) ('+' + random.nextInt(4)));
        }
        return text.toString();
    }

    /** Sums lengths in a text. */
    private static final class Sum implements AggregateFunction<String, String, String> {

        @Override
        public String createAccumulator() {
            return "";
        }

        @Override
        public String add(String value, String accumulator) {
            return merge(accumulator, value);
        }

        @Override
        public String getResult(String accumulator) {
            return accumulator;
        }

        @Override
        public String merge(String a, String b) {
            String both = a + b;
            return both.substring(Math.max(0, both.length() - 50));
        }
    }
}
