/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/** Names the airport and the window that a sum of delays belongs to. */
final class OriginTraffic extends ProcessWindowFunction<Delays, String, String, TimeWindow> {

    private static final long serialVersionUID = 1L;

    @Override
    public void process(
            String origin, Context context, Iterable<Delays> sums, Collector<String> out) {
        for (Delays sum : sums) {
            out.collect(
                    String.format("traffic|%s|%d|%s", origin, context.window().getStart(), sum));
        }
    }
}
