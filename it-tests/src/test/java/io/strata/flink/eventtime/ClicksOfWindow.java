/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.eventtime;

import io.strata.flink.EventTimeTtl;
import java.time.Duration;
import java.util.stream.StreamSupport;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/**
 * Numbers the firings of each window, with a counter that lives as long as late events may come.
 */
final class ClicksOfWindow extends ProcessWindowFunction<Click, String, Integer, TimeWindow> {

    static final Duration ALLOWED_LATENESS = Duration.ofSeconds(5);

    private static final long serialVersionUID = 1L;

    @Override
    public void process(
            Integer user, Context context, Iterable<Click> clicks, Collector<String> out)
            throws Exception {
        EventTimeTtl.of(context.windowState()).advance(context.currentWatermark());
        ValueStateDescriptor<Integer> descriptor =
                new ValueStateDescriptor<>("firings", Integer.class);
        descriptor.enableTimeToLive(StateTtlConfig.newBuilder(ALLOWED_LATENESS).build());
        ValueState<Integer> firings = context.windowState().getState(descriptor);
        int firing = firings.value() == null ? 1 : firings.value() + 1;
        firings.update(firing);
        long count = StreamSupport.stream(clicks.spliterator(), false).count();
        out.collect("%d@%d #%d: %d".formatted(user, context.window().getStart(), firing, count));
    }

    @Override
    public void clear(Context context) {
        // what is left expires
    }
}
