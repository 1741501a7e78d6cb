/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.AggregatingState;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Adds up the results of windows per account, and tells the sums when the events end. */
final class WindowAccounts extends KeyedProcessFunction<String, WindowResult, String> {

    private static final long serialVersionUID = 1L;

    private transient AggregatingState<WindowResult, Sums> sums;

    @Override
    public void open(OpenContext context) {
        sums =
                getRuntimeContext()
                        .getAggregatingState(
                                new AggregatingStateDescriptor<>(
                                        "sums", new Sums.OfChecks(), Sums.class));
    }

    @Override
    public void processElement(WindowResult result, Context context, Collector<String> out)
            throws Exception {
        if (sums.get() == null) {
            context.timerService().registerEventTimeTimer(AllStates.END_OF_EVENTS);
        }
        sums.add(result);
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<String> out)
            throws Exception {
        out.collect("account " + context.getCurrentKey() + ": " + sums.get());
    }
}
