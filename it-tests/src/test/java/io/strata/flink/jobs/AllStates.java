/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.AggregatingState;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingState;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Keeps every kind of keyed state and of timer, and tells all of it when the events end. {@link
 * KeyAccount} is the same without Flink.
 *
 * <p>Events are also counted by processing-time timers: each event waits until a timer counts it,
 * and a timer is registered only when none is. A timer that is lost stops the counting of its key.
 */
final class AllStates extends KeyedProcessFunction<Integer, Event, String> {

    /** Fires with the last watermark, behind every event. */
    static final long END_OF_EVENTS = Long.MAX_VALUE - 1;

    static final long TICK_MILLIS = 500;
    static final long QUIET_MILLIS = Duration.ofHours(1).toMillis();

    private static final long serialVersionUID = 1L;
    private static final long COUNT_AFTER_MILLIS = 15;

    private final String controlName;
    private final boolean nullValues;

    private transient JobControl control;
    private transient ValueState<Long> events;
    private transient ListState<Long> recent;
    private transient MapState<String, Long> marks;
    private transient ReducingState<Long> largest;
    private transient AggregatingState<Event, Sums> amounts;
    private transient ValueState<Long> lastedValue;
    private transient ListState<Long> lastedList;
    private transient MapState<Long, Long> lastedMap;
    private transient ValueState<Long> ticks;
    private transient ValueState<Long> quietTimer;
    private transient ValueState<Sums> counted;

    /**
     * Creates the function.
     *
     * @param nullValues whether the map state gets null values
     */
    AllStates(JobControl control, boolean nullValues) {
        this.controlName = control.name();
        this.nullValues = nullValues;
    }

    @Override
    public void open(OpenContext context) {
        control = JobControl.of(controlName);
        RuntimeContext runtime = getRuntimeContext();
        events = runtime.getState(new ValueStateDescriptor<>("events", Types.LONG));
        recent = runtime.getListState(new ListStateDescriptor<>("recent", Types.LONG));
        marks = runtime.getMapState(new MapStateDescriptor<>("marks", Types.STRING, Types.LONG));
        largest =
                runtime.getReducingState(
                        new ReducingStateDescriptor<>("largest", Math::max, Types.LONG));
        amounts =
                runtime.getAggregatingState(
                        new AggregatingStateDescriptor<>(
                                "amounts", new Sums.OfAmounts(), Sums.class));
        ticks = runtime.getState(new ValueStateDescriptor<>("ticks", Types.LONG));
        quietTimer = runtime.getState(new ValueStateDescriptor<>("quiet-timer", Types.LONG));
        counted = runtime.getState(new ValueStateDescriptor<>("counted", Sums.class));
        openStatesThatExpire(runtime);
    }

    /** Their time to live is longer than any test. */
    private void openStatesThatExpire(RuntimeContext runtime) {
        StateTtlConfig ttl =
                StateTtlConfig.newBuilder(Duration.ofDays(1))
                        .disableCleanupInBackground()
                        .cleanupFullSnapshot()
                        .build();
        ValueStateDescriptor<Long> value = new ValueStateDescriptor<>("lasted-value", Types.LONG);
        value.enableTimeToLive(ttl);
        lastedValue = runtime.getState(value);
        ListStateDescriptor<Long> list = new ListStateDescriptor<>("lasted-list", Types.LONG);
        list.enableTimeToLive(ttl);
        lastedList = runtime.getListState(list);
        MapStateDescriptor<Long, Long> map =
                new MapStateDescriptor<>("lasted-map", Types.LONG, Types.LONG);
        map.enableTimeToLive(ttl);
        lastedMap = runtime.getMapState(map);
    }

    @Override
    public void processElement(Event event, Context context, Collector<String> out)
            throws Exception {
        control.delay();
        if (event.timeMillis() <= context.timerService().currentWatermark()) {
            control.late(event);
        }
        Long before = events.value();
        long number = before == null ? 1 : before + 1;
        events.update(number);
        keepRecent(event, number);
        mark(event);
        largest.add(event.amount());
        amounts.add(event);

        Long lasted = lastedValue.value();
        lastedValue.update((lasted == null ? 0 : lasted) + event.sequence());
        if (number % KeyAccount.LASTED_LIST_LENGTH == 1) {
            lastedList.clear();
        }
        lastedList.add(event.amount());
        lastedMap.put(event.amount() % KeyAccount.LASTED_MAP_KEYS, event.sequence());

        registerTimers(event, context);
    }

    private void keepRecent(Event event, long number) throws Exception {
        switch ((int) (number % KeyAccount.RECENT_LENGTH)) {
            case 0 -> recent.update(List.of(event.sequence()));
            case 1 -> recent.addAll(List.of(event.sequence(), -event.sequence()));
            case 2 -> recent.clear();
            default -> recent.add(event.sequence());
        }
    }

    private void mark(Event event) throws Exception {
        String mark = KeyAccount.mark(event.sequence());
        switch ((int) (event.amount() % KeyAccount.MARK_KINDS)) {
            case 0 -> marks.put(mark, nullValues ? null : -1L);
            case 1 -> marks.remove(mark);
            default -> marks.put(mark, event.amount());
        }
    }

    private void registerTimers(Event event, Context context) throws Exception {
        long now = event.timeMillis();
        context.timerService().registerEventTimeTimer(END_OF_EVENTS);
        context.timerService().registerEventTimeTimer((now / TICK_MILLIS + 1) * TICK_MILLIS - 1);
        Long quiet = quietTimer.value();
        if (quiet != null) {
            context.timerService().deleteEventTimeTimer(quiet);
        }
        quietTimer.update(now + QUIET_MILLIS);
        context.timerService().registerEventTimeTimer(now + QUIET_MILLIS);

        // Counted so far, and waiting for the timer.
        Sums sofar = counted.value();
        if (sofar == null || sofar.total() == 0) {
            long soon = context.timerService().currentProcessingTime() + COUNT_AFTER_MILLIS;
            context.timerService().registerProcessingTimeTimer(soon);
        }
        counted.update((sofar == null ? Sums.NONE : sofar).plus(new Sums(0, 1)));
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<String> out)
            throws Exception {
        switch (context.timeDomain()) {
            case PROCESSING_TIME -> {
                long all = counted.value().count() + counted.value().total();
                counted.update(new Sums(all, 0));
                control.counted(context.getCurrentKey(), all);
            }
            case EVENT_TIME -> {
                if (timestamp == END_OF_EVENTS) {
                    out.collect(tellAll(context.getCurrentKey()));
                } else {
                    // Ticks count by ones; the end of the quiet by thousands.
                    long ones = timestamp % TICK_MILLIS == TICK_MILLIS - 1 ? 1 : 1_000_000;
                    Long sofar = ticks.value();
                    ticks.update((sofar == null ? 0 : sofar) + ones);
                }
            }
        }
    }

    private String tellAll(int key) throws Exception {
        Map<String, Long> allMarks = new TreeMap<>();
        for (Map.Entry<String, Long> mark : marks.entries()) {
            allMarks.put(mark.getKey(), mark.getValue());
        }
        Map<Long, Long> allLasted = new TreeMap<>();
        for (Map.Entry<Long, Long> lasted : lastedMap.entries()) {
            allLasted.put(lasted.getKey(), lasted.getValue());
        }
        return new KeyAccount.Told(
                        key,
                        events.value(),
                        KeyAccount.list(recent.get()),
                        allMarks.toString(),
                        largest.get(),
                        amounts.get(),
                        lastedValue.value() + KeyAccount.list(lastedList.get()) + allLasted,
                        ticks.value(),
                        counted.value().count() + counted.value().total())
                .line();
    }
}
