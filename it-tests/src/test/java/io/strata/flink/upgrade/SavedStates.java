/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.upgrade;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.AggregatingState;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingState;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * A function with every kind of state, with and without time to live, and timers. It compiles
 * against Flink 1.20, which writes the savepoint, and 2.3, which reads it.
 *
 * <p>A record with a positive number is added to all states of its key; one with zero asks for what
 * they hold.
 */
public class SavedStates extends KeyedProcessFunction<String, Tuple2<String, Long>, String> {

    private static final long serialVersionUID = 1L;

    /** Timers lie so far behind the number that registers them. */
    static final long TIMER_DELAY = 100_000;

    /** So long that a savepoint that is years old still holds it. */
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private transient ValueState<Long> last;
    private transient ValueState<Visit> visit;
    private transient ListState<String> history;
    private transient MapState<String, Long> byRemainder;
    private transient ReducingState<Long> sum;
    private transient AggregatingState<Long, Long> count;
    private transient ValueState<String> lastKept;
    private transient ListState<Long> historyKept;
    private transient MapState<Integer, String> byNumberKept;
    private transient MapState<Long, Long> expired;

    /** A value as users write them. */
    public static class Visit {
        public String page;
        public long time;

        @Override
        public String toString() {
            return page + "@" + time;
        }
    }

    /** Counts. */
    public static class Count implements AggregateFunction<Long, Long, Long> {

        private static final long serialVersionUID = 1L;

        @Override
        public Long createAccumulator() {
            return 0L;
        }

        @Override
        public Long add(Long value, Long accumulator) {
            return accumulator + 1;
        }

        @Override
        public Long getResult(Long accumulator) {
            return accumulator;
        }

        @Override
        public Long merge(Long a, Long b) {
            return a + b;
        }
    }

    @Override
    public void open(OpenContext context) {
        last = getRuntimeContext().getState(new ValueStateDescriptor<>("last", Long.class));
        visit = getRuntimeContext().getState(new ValueStateDescriptor<>("visit", Visit.class));
        history =
                getRuntimeContext()
                        .getListState(new ListStateDescriptor<>("history", String.class));
        byRemainder =
                getRuntimeContext()
                        .getMapState(
                                new MapStateDescriptor<>("byRemainder", String.class, Long.class));
        sum =
                getRuntimeContext()
                        .getReducingState(
                                new ReducingStateDescriptor<>("sum", Long::sum, Long.class));
        count =
                getRuntimeContext()
                        .getAggregatingState(
                                new AggregatingStateDescriptor<>("count", new Count(), Long.class));
        openStatesWithTimeToLive();
    }

    private void openStatesWithTimeToLive() {
        lastKept =
                getRuntimeContext()
                        .getState(
                                living(
                                        new ValueStateDescriptor<>("lastKept", String.class),
                                        FOR_EVER));
        historyKept =
                getRuntimeContext()
                        .getListState(
                                living(
                                        new ListStateDescriptor<>("historyKept", Long.class),
                                        FOR_EVER));
        byNumberKept =
                getRuntimeContext()
                        .getMapState(
                                living(
                                        new MapStateDescriptor<>(
                                                "byNumberKept", Integer.class, String.class),
                                        FOR_EVER));
        expired =
                getRuntimeContext()
                        .getMapState(
                                living(
                                        new MapStateDescriptor<>("expired", Long.class, Long.class),
                                        Duration.ofMillis(1)));
    }

    private static <D extends StateDescriptor<?, ?>> D living(D descriptor, Duration timeToLive) {
        descriptor.enableTimeToLive(
                StateTtlConfig.newBuilder(timeToLive).cleanupFullSnapshot().build());
        return descriptor;
    }

    @Override
    public void processElement(Tuple2<String, Long> record, Context context, Collector<String> out)
            throws Exception {
        if (record.f1 == 0) {
            out.collect(context.getCurrentKey() + " " + contents());
            return;
        }
        long number = record.f1;
        last.update(number);
        Visit latest = new Visit();
        latest.page = "page-" + number % 5;
        latest.time = number;
        visit.update(latest);
        history.add("h" + number);
        byRemainder.put("r" + number % 7, number);
        sum.add(number);
        count.add(number);
        lastKept.update("l" + number);
        historyKept.add(number);
        byNumberKept.put((int) number % 3, "n" + number);
        expired.put(number, number);
        context.timerService().registerEventTimeTimer(number + TIMER_DELAY);
    }

    private Map<String, Object> contents() throws Exception {
        Map<String, Object> contents = new TreeMap<>();
        contents.put("last", last.value());
        contents.put("visit", visit.value());
        contents.put("history", listed(history));
        contents.put("byRemainder", sorted(byRemainder));
        contents.put("sum", sum.get());
        contents.put("count", count.get());
        contents.put("lastKept", lastKept.value());
        contents.put("historyKept", listed(historyKept));
        contents.put("byNumberKept", sorted(byNumberKept));
        contents.put("expired", sorted(expired));
        return contents;
    }

    private static <T> List<T> listed(ListState<T> state) throws Exception {
        List<T> elements = new ArrayList<>();
        state.get().forEach(elements::add);
        return elements;
    }

    private static <K, V> Map<K, V> sorted(MapState<K, V> state) throws Exception {
        Map<K, V> entries = new TreeMap<>();
        for (Map.Entry<K, V> entry : state.entries()) {
            entries.put(entry.getKey(), entry.getValue());
        }
        return entries;
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<String> out) {
        out.collect(context.getCurrentKey() + " timer " + timestamp);
    }
}
