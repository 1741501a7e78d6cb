/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.AggregatingState;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingState;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Keeps a diary of each route in all five kinds of keyed state. When a day is over it writes down
 * that day beside the same weekday a week earlier; when the flights end it reads the whole diary.
 *
 * <p>A day is over with the route's first flight of a later day or with the timer at its end,
 * whichever comes first: watermarks trail the flights, and results must not depend on how far.
 */
final class RouteDiary extends KeyedProcessFunction<String, Flight, String> {

    private static final long serialVersionUID = 1L;

    private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();
    private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();
    private static final int DAY_HOURS = 24;
    private static final int DAYS_OF_WEEK = 7;

    /** Fires with the last watermark, behind every day. */
    private static final long END_OF_FLIGHTS = Long.MAX_VALUE - 1;

    /** The flight before this one. */
    private transient ValueState<Flight> previous;

    /** The delays of today, in order. */
    private transient ListState<Integer> today;

    /** The diary: each hour that saw a flight, since the first day. */
    private transient MapState<Long, Delays> hours;

    /** The most delayed flight of today; the first of equals. */
    private transient ReducingState<Flight> worstToday;

    /** All flights since the first day. */
    private transient AggregatingState<Flight, Delays> sinceFirstDay;

    @Override
    public void open(OpenContext context) {
        previous =
                getRuntimeContext().getState(new ValueStateDescriptor<>("previous", Flight.class));
        today = getRuntimeContext().getListState(new ListStateDescriptor<>("today", Integer.class));
        hours =
                getRuntimeContext()
                        .getMapState(new MapStateDescriptor<>("hours", Long.class, Delays.class));
        worstToday =
                getRuntimeContext()
                        .getReducingState(
                                new ReducingStateDescriptor<>(
                                        "worst-today",
                                        (a, b) -> b.delayMinutes() > a.delayMinutes() ? b : a,
                                        Flight.class));
        sinceFirstDay =
                getRuntimeContext()
                        .getAggregatingState(
                                new AggregatingStateDescriptor<>(
                                        "since-first-day", new Delays.Sum(), Delays.class));
    }

    @Override
    public void processElement(Flight flight, Context context, Collector<String> out)
            throws Exception {
        Flight before = previous.value();
        if (before == null) {
            context.timerService().registerEventTimeTimer(END_OF_FLIGHTS);
        }
        if (before == null || dayOf(before) != dayOf(flight)) {
            closeDay(context.getCurrentKey(), before, out);
            context.timerService().registerEventTimeTimer((dayOf(flight) + 1) * DAY_MILLIS - 1);
        }
        previous.update(flight);
        today.add(flight.delayMinutes());
        worstToday.add(flight);
        sinceFirstDay.add(flight);

        long hour = Math.floorDiv(flight.departureMillis(), HOUR_MILLIS);
        Delays sofar = hours.get(hour);
        hours.put(hour, (sofar == null ? Delays.NONE : sofar).plus(flight));
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<String> out)
            throws Exception {
        Flight last = previous.value();
        if (timestamp == END_OF_FLIGHTS) {
            out.collect(wholeDiary(context.getCurrentKey(), last));
        } else if (dayOf(last) == Math.floorDiv(timestamp, DAY_MILLIS)) {
            closeDay(context.getCurrentKey(), last, out);
        }
    }

    private void closeDay(String route, Flight last, Collector<String> out) throws Exception {
        Flight worst = worstToday.get();
        if (worst != null) {
            out.collect(summary(route, dayOf(last), worst));
            today.clear();
            worstToday.clear();
        }
    }

    private String summary(String route, long day, Flight worst) throws Exception {
        List<Integer> delays = new ArrayList<>();
        today.get().forEach(delays::add);
        delays.sort(null);
        return String.format(
                "day|%s|%d|%d flights|median %d|worst %d of flight %d|week before %s|all %s",
                route,
                day,
                delays.size(),
                delays.get(delays.size() / 2),
                worst.delayMinutes(),
                worst.sequence(),
                sumOfDay(day - DAYS_OF_WEEK),
                sinceFirstDay.get());
    }

    private Delays sumOfDay(long day) throws Exception {
        Delays sum = Delays.NONE;
        for (long hour = day * DAY_HOURS; hour < (day + 1) * DAY_HOURS; hour++) {
            Delays delays = hours.get(hour);
            if (delays != null) {
                sum = sum.plus(delays);
            }
        }
        return sum;
    }

    private String wholeDiary(String route, Flight last) throws Exception {
        Delays sum = Delays.NONE;
        long hoursWithFlights = 0;
        long hash = 0;
        for (Map.Entry<Long, Delays> hour : hours.entries()) {
            sum = sum.plus(hour.getValue());
            hoursWithFlights++;
            hash += hour.getKey() * hour.getValue().totalMinutes();
        }
        return String.format(
                "diary|%s|%d hours|%s|last flight %d|check %d",
                route, hoursWithFlights, sum, last.sequence(), hash);
    }

    private static long dayOf(Flight flight) {
        return Math.floorDiv(flight.departureMillis(), DAY_MILLIS);
    }
}
