/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.upgrade;

import java.time.Duration;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.functions.windowing.WindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/**
 * A job of three keyed operators: {@link SavedStates}, tumbling windows that sum, and session
 * windows that keep their elements. It compiles against Flink 1.20 and 2.3.
 */
public final class SavedJob {

    /** Every one of so many numbers makes one record. */
    public static final long NUMBERS = 600;

    static final int KEYS = 40;
    static final Duration WINDOW = Duration.ofMillis(50);
    static final Duration SESSION_GAP = Duration.ofMillis(90);

    private SavedJob() {}

    /** Returns the key of a number: spread, so that sessions end here and there. */
    public static String key(long number) {
        return "key-" + ((number * 2654435761L) >>> 8) % KEYS;
    }

    /**
     * Adds the operators behind a source.
     *
     * @param records with event times
     * @param tumbling assigns windows of {@link #WINDOW}
     * @param sessions assigns windows with a gap of {@link #SESSION_GAP}
     */
    public static DataStream<String> of(
            DataStream<Tuple2<String, Long>> records,
            WindowAssigner<Object, TimeWindow> tumbling,
            WindowAssigner<Object, TimeWindow> sessions) {
        DataStream<String> states =
                records.keyBy(record -> record.f0, Types.STRING)
                        .process(new SavedStates())
                        .uid("states");
        DataStream<String> sums =
                records.keyBy(record -> record.f0, Types.STRING)
                        .window(tumbling)
                        .reduce((a, b) -> Tuple2.of(a.f0, a.f1 + b.f1), new Sums())
                        .uid("sums");
        DataStream<String> elements =
                records.keyBy(record -> record.f0, Types.STRING)
                        .window(sessions)
                        .process(new Elements())
                        .uid("elements");
        return states.union(sums, elements);
    }

    /** Tells the sum of a window; records that only ask do not count. */
    private static final class Sums
            implements WindowFunction<Tuple2<String, Long>, String, String, TimeWindow> {

        private static final long serialVersionUID = 1L;

        @Override
        public void apply(
                String key,
                TimeWindow window,
                Iterable<Tuple2<String, Long>> sums,
                Collector<String> out) {
            for (Tuple2<String, Long> sum : sums) {
                if (sum.f1 > 0) {
                    out.collect(key + " sum " + window.getStart() + ": " + sum.f1);
                }
            }
        }
    }

    /** Tells all elements of a session. */
    private static final class Elements
            extends ProcessWindowFunction<Tuple2<String, Long>, String, String, TimeWindow> {

        private static final long serialVersionUID = 1L;

        @Override
        public void process(
                String key,
                Context context,
                Iterable<Tuple2<String, Long>> elements,
                Collector<String> out) {
            StringBuilder numbers = new StringBuilder();
            for (Tuple2<String, Long> element : elements) {
                if (element.f1 > 0) {
                    numbers.append(' ').append(element.f1);
                }
            }
            if (numbers.length() > 0) {
                out.collect(key + " session" + numbers);
            }
        }
    }
}
