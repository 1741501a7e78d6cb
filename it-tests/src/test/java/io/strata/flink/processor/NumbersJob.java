/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.processor;

import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.source.legacy.SourceFunction;
import org.apache.flink.testutils.junit.SharedReference;
import org.apache.flink.util.Collector;

/**
 * The job whose savepoints are processed: numbers, kept in {@link Accounts} and {@link Windows}. A
 * negative number asks for the account of one key. At the end of the input all event-time timers
 * and windows fire, so the output tells the whole state.
 */
final class NumbersJob {

    static final String ACCOUNTS = "accounts";
    static final String BAGS = "bags";
    static final String SUMS = "sums";

    private NumbersJob() {}

    /** Emits all numbers, then idles until the job is stopped. */
    static DataStream<String> untilStopped(
            StreamExecutionEnvironment env, SharedReference<CountDownLatch> allEmitted) {
        return over(env.addSource(new Numbers(allEmitted), Types.LONG));
    }

    /** Asks for the accounts of all keys, then ends. */
    static DataStream<String> asking(StreamExecutionEnvironment env) {
        Long[] questions =
                LongStream.range(0, Accounts.KEYS).mapToObj(key -> -1 - key).toArray(Long[]::new);
        return over(env.fromData(Types.LONG, questions));
    }

    private static DataStream<String> over(DataStream<Long> input) {
        DataStream<Long> numbers =
                input.assignTimestampsAndWatermarks(
                        WatermarkStrategy.<Long>noWatermarks()
                                .withTimestampAssigner((number, before) -> number));
        DataStream<String> accounts =
                numbers.keyBy(NumbersJob::keyOf, Types.LONG)
                        .process(new KeepAccounts())
                        .returns(Types.STRING)
                        .uid(ACCOUNTS);
        DataStream<Long> real = numbers.filter(number -> number >= 0);
        DataStream<String> bags =
                real.keyBy(NumbersJob::keyOf, Types.LONG)
                        .window(Windows.assigner())
                        .process(new Windows.Emit())
                        .returns(Types.STRING)
                        .uid(BAGS);
        DataStream<String> sums =
                real.keyBy(NumbersJob::keyOf, Types.LONG)
                        .window(Windows.assigner())
                        .reduce(Long::sum, new Windows.Emit())
                        .returns(Types.STRING)
                        .uid(SUMS);
        return accounts.union(bags, sums);
    }

    private static long keyOf(long number) {
        return number < 0 ? -1 - number : Accounts.keyOf(number);
    }

    private static final class KeepAccounts extends KeyedProcessFunction<Long, Long, String> {

        private static final long serialVersionUID = 1L;

        private transient Accounts accounts;

        @Override
        public void open(OpenContext openContext) {
            accounts = new Accounts(getRuntimeContext());
        }

        @Override
        public void processElement(Long number, Context context, Collector<String> out)
                throws Exception {
            if (number < 0) {
                out.collect(accounts.describe(context.getCurrentKey()));
            } else {
                accounts.add(number, context.timerService());
            }
        }

        @Override
        public void onTimer(long timestamp, OnTimerContext context, Collector<String> out) {
            out.collect(Accounts.timer(context.getCurrentKey(), timestamp));
        }
    }

    private static final class Numbers implements SourceFunction<Long> {

        private static final long serialVersionUID = 1L;

        private final SharedReference<CountDownLatch> allEmitted;
        private volatile boolean stopped;

        Numbers(SharedReference<CountDownLatch> allEmitted) {
            this.allEmitted = allEmitted;
        }

        @Override
        public void run(SourceContext<Long> context) throws InterruptedException {
            synchronized (context.getCheckpointLock()) {
                for (long number = 0; number < Accounts.NUMBERS; number++) {
                    context.collect(number);
                }
            }
            allEmitted.get().countDown();
            while (!stopped) {
                Thread.sleep(10);
            }
        }

        @Override
        public void cancel() {
            stopped = true;
        }
    }
}
