/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.processor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/** Windows over the numbers, whose timestamps they are themselves; none fires before the end. */
final class Windows {

    private static final long LENGTH_MILLIS = 1_000;

    private Windows() {}

    static TumblingEventTimeWindows assigner() {
        return TumblingEventTimeWindows.of(Duration.ofMillis(LENGTH_MILLIS));
    }

    /** What must be in all windows, each as {@link #text} describes it. */
    static List<String> expected() {
        List<String> all = new ArrayList<>();
        for (long start = 0; start < Accounts.NUMBERS; start += LENGTH_MILLIS) {
            for (long key = 0; key < Accounts.KEYS; key++) {
                List<Long> numbers = new ArrayList<>();
                for (long number = start; number < start + LENGTH_MILLIS; number++) {
                    if (number < Accounts.NUMBERS && Accounts.keyOf(number) == key) {
                        numbers.add(number);
                    }
                }
                all.add(text(key, new TimeWindow(start, start + LENGTH_MILLIS), numbers));
            }
        }
        return all;
    }

    /** The same for windows that keep only the sum. */
    static List<String> expectedSums() {
        return expected().stream().map(Windows::summed).toList();
    }

    static String text(long key, TimeWindow window, Iterable<Long> numbers) {
        List<Long> sorted = new ArrayList<>();
        numbers.forEach(sorted::add);
        Collections.sort(sorted);
        return key + " in " + window.getStart() + ": " + sorted;
    }

    private static String summed(String text) {
        int list = text.indexOf('[');
        long sum = 0;
        for (String number : text.substring(list + 1, text.length() - 1).split(", ", -1)) {
            sum += Long.parseLong(number);
        }
        return text.substring(0, list) + "[" + sum + "]";
    }

    /** Emits what is in a window when it fires. */
    static final class Emit extends ProcessWindowFunction<Long, String, Long, TimeWindow> {

        private static final long serialVersionUID = 1L;

        @Override
        public void process(
                Long key, Context context, Iterable<Long> numbers, Collector<String> out) {
            out.collect(text(key, context.window(), numbers));
        }
    }
}
