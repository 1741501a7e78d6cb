/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/**
 * Describes a session of a route: the flights that follow one another without a long pause. The
 * window keeps its flights in list state, and merging sessions merges their lists.
 */
final class RouteBursts extends ProcessWindowFunction<Flight, String, String, TimeWindow> {

    private static final long serialVersionUID = 1L;

    @Override
    public void process(
            String route, Context context, Iterable<Flight> flights, Collector<String> out) {
        Delays sum = Delays.NONE;
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (Flight flight : flights) {
            sum = sum.plus(flight);
            first = Math.min(first, flight.sequence());
            last = Math.max(last, flight.sequence());
        }
        out.collect(
                String.format(
                        "burst|%s|%d|%d|flights %d to %d|%s",
                        route,
                        context.window().getStart(),
                        context.window().getEnd(),
                        first,
                        last,
                        sum));
    }
}
