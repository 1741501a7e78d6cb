/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;
import org.apache.flink.util.IterableUtils;

/**
 * The job of the tests: all kinds of keyed state, of timers and of event-time windows, in operators
 * chained and not. It runs until the {@link JobControl} ends it, and then tells what its state
 * holds; {@link ExpectedResults} knows what that must be.
 *
 * @param control what stops, fails and ends it
 * @param sources parallelism of the source
 * @param nullValues whether its map state gets null values
 */
record AllStatesJob(JobControl control, int sources, boolean nullValues) {

    static final Duration AGGREGATED = Duration.ofSeconds(1);
    static final Duration BUFFERED = Duration.ofSeconds(2);
    static final Duration BUFFERED_SLIDE = Duration.ofSeconds(1);

    /** Not a multiple of {@link Event#STEP_MILLIS}: whether sessions that touch merge is luck. */
    static final Duration SESSION_GAP = Duration.ofMillis(205);

    void build(StreamExecutionEnvironment env) {
        KeyedStream<Event, Integer> events =
                env.fromSource(
                                new LaneSource(control),
                                WatermarkStrategy.<Event>forMonotonousTimestamps()
                                        .withTimestampAssigner((event, none) -> event.timeMillis()),
                                "lanes",
                                Types.POJO(Event.class))
                        .uid("lanes")
                        .setParallelism(sources)
                        .map(new FailOnRequest(control))
                        .setParallelism(sources)
                        .uid("fail-on-request")
                        .keyBy(Event::key);

        DataStream<String> states =
                events.process(new AllStates(control, nullValues))
                        .uid("all-states")
                        .map(line -> line)
                        .uid("chained-map");
        DataStream<WindowResult> aggregated =
                events.window(TumblingEventTimeWindows.of(AGGREGATED))
                        .aggregate(new Sums.OfAmounts(), new Result("aggregated"))
                        .uid("aggregated-windows");
        DataStream<WindowResult> buffered =
                events.window(SlidingEventTimeWindows.of(BUFFERED, BUFFERED_SLIDE))
                        .process(new ResultInOrder("buffered"))
                        .uid("buffered-windows")
                        .disableChaining();
        DataStream<WindowResult> sessions =
                events.window(EventTimeSessionWindows.withGap(SESSION_GAP))
                        .aggregate(new Sums.OfAmounts(), new Result("session"))
                        .uid("sessions");
        DataStream<String> accounts =
                aggregated
                        .union(buffered, sessions)
                        .keyBy(WindowResult::account)
                        .process(new WindowAccounts())
                        .uid("window-accounts");
        states.union(accounts).sinkTo(new ResultSink(control)).uid("results");
    }

    private static final class Result
            extends ProcessWindowFunction<Sums, WindowResult, Integer, TimeWindow> {

        private static final long serialVersionUID = 1L;

        private final String kind;

        Result(String kind) {
            this.kind = kind;
        }

        @Override
        public void process(
                Integer key, Context context, Iterable<Sums> sums, Collector<WindowResult> out) {
            TimeWindow window = context.window();
            Sums contents = sums.iterator().next();
            out.collect(WindowResult.of(kind, key, window.getStart(), window.getEnd(), contents));
        }
    }

    private static final class ResultInOrder
            extends ProcessWindowFunction<Event, WindowResult, Integer, TimeWindow> {

        private static final long serialVersionUID = 1L;

        private final String kind;

        ResultInOrder(String kind) {
            this.kind = kind;
        }

        @Override
        public void process(
                Integer key, Context context, Iterable<Event> events, Collector<WindowResult> out) {
            Sums contents = WindowResult.inOrder(IterableUtils.toStream(events).toList());
            TimeWindow window = context.window();
            out.collect(WindowResult.of(kind, key, window.getStart(), window.getEnd(), contents));
        }
    }
}
