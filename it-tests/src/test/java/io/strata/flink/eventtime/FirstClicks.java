/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.eventtime;

import io.strata.flink.EventTimeTtl;
import java.time.Duration;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Lets the first click of each user pass, and again the first one after its memory has expired. */
final class FirstClicks extends KeyedProcessFunction<Integer, Click, Long> {

    static final Duration MEMORY = Duration.ofSeconds(10);

    private static final long serialVersionUID = 1L;

    private transient ValueState<Boolean> seen;
    private transient EventTimeTtl eventTime;

    @Override
    public void open(OpenContext context) {
        ValueStateDescriptor<Boolean> descriptor =
                new ValueStateDescriptor<>("seen", Boolean.class);
        descriptor.enableTimeToLive(StateTtlConfig.newBuilder(MEMORY).build());
        seen = getRuntimeContext().getState(descriptor);
        eventTime = EventTimeTtl.of(getRuntimeContext());
    }

    @Override
    public void processElement(Click click, Context context, Collector<Long> out) throws Exception {
        eventTime.advance(context.timerService().currentWatermark());
        if (seen.value() == null) {
            seen.update(true);
            out.collect(click.number);
        }
    }
}
