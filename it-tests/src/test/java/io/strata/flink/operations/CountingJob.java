/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.operations;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/**
 * An endless job that notices when its state is not what it left: numbers come in order, and each
 * key remembers which one must be next.
 */
public final class CountingJob {

    static final int KEYS = 100;

    /** The greatest number that any attempt of the job has processed. */
    static final AtomicLong GREATEST = new AtomicLong(-1);

    private static final int NUMBERS_PER_SECOND = 5000;
    private static final int LIST_LENGTH = 20;

    private CountingJob() {}

    /** The entry point that the command line calls. */
    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.getConfig().setMaxParallelism(128);
        DataGeneratorSource<Long> numbers =
                new DataGeneratorSource<>(
                        number -> number,
                        Long.MAX_VALUE,
                        RateLimiterStrategy.perSecond(NUMBERS_PER_SECOND),
                        Types.LONG);
        env.fromSource(numbers, WatermarkStrategy.noWatermarks(), "numbers")
                .uid("numbers")
                .setParallelism(1)
                .keyBy(number -> number % KEYS)
                .process(new CheckOrder())
                .uid("order")
                .sinkTo(new DiscardingSink<>());
        env.execute("counting");
    }

    /**
     * Fails when a number is not the one after the last of its key, by three kinds of state and one
     * with a time to live.
     */
    static final class CheckOrder extends KeyedProcessFunction<Long, Long, Long> {

        private static final long serialVersionUID = 1L;

        private transient ValueState<Long> last;
        private transient ValueState<Long> remembered;
        private transient ListState<Long> recent;
        private transient MapState<Long, Long> counts;

        @Override
        public void open(OpenContext context) {
            last = getRuntimeContext().getState(new ValueStateDescriptor<>("last", Types.LONG));
            ValueStateDescriptor<Long> withTtl =
                    new ValueStateDescriptor<>("remembered", Types.LONG);
            withTtl.enableTimeToLive(StateTtlConfig.newBuilder(Duration.ofHours(1)).build());
            remembered = getRuntimeContext().getState(withTtl);
            recent =
                    getRuntimeContext()
                            .getListState(new ListStateDescriptor<>("recent", Types.LONG));
            counts =
                    getRuntimeContext()
                            .getMapState(
                                    new MapStateDescriptor<>("counts", Types.LONG, Types.LONG));
        }

        @Override
        public void processElement(Long number, Context context, Collector<Long> out)
                throws Exception {
            Long before = last.value();
            long expected = before == null ? context.getCurrentKey() : before + KEYS;
            long round = number / KEYS;
            long inList = 0;
            for (Long element : recent.get()) {
                expect(number, element == number - (round % LIST_LENGTH - inList) * KEYS);
                inList++;
            }
            Long counted = counts.get(round % 7);
            expect(number, number == expected);
            expect(number, inList == round % LIST_LENGTH);
            expect(number, (counted == null ? 0 : counted) == round / 7);
            expect(number, Objects.equals(before, remembered.value()));
            last.update(number);
            remembered.update(number);
            if (inList == LIST_LENGTH - 1) {
                recent.clear();
            } else {
                recent.add(number);
            }
            counts.put(round % 7, round / 7 + 1);
            GREATEST.accumulateAndGet(number, Math::max);
            out.collect(number);
        }

        private static void expect(Object about, boolean holds) {
            if (!holds) {
                throw new IllegalStateException("the state does not fit number " + about);
            }
        }
    }
}
