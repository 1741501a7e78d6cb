/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.processor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.TimerService;

/**
 * What is kept for each key: a sum, a list and a map of its numbers, and timers. Some keys have
 * only some of the states, some none. The job, the readers and the writers share it.
 */
final class Accounts {

    static final long KEYS = 300;
    static final long NUMBERS = 3_000;

    /** Far in the future, so that no timer fires while the job runs. */
    static final long FAR_MILLIS = 4_102_444_800_000L;

    private static final long REMAINDERS = 7;

    private final ValueState<Long> sum;
    private final ListState<Long> numbers;
    private final MapState<Long, String> latest;

    /** Registers the states. */
    Accounts(RuntimeContext context) {
        sum = context.getState(new ValueStateDescriptor<>("sum", Types.LONG));
        numbers = context.getListState(new ListStateDescriptor<>("numbers", Types.LONG));
        latest = context.getMapState(new MapStateDescriptor<>("latest", Types.LONG, Types.STRING));
    }

    static long keyOf(long number) {
        return number % KEYS;
    }

    /** Adds a number to the current key. */
    void add(long number, TimerService timers) throws Exception {
        long key = keyOf(number);
        if (hasSum(key)) {
            Long before = sum.value();
            sum.update((before == null ? 0 : before) + number);
        }
        if (hasNumbers(key)) {
            numbers.add(number);
        }
        if (hasLatest(key)) {
            latest.put(number % REMAINDERS, Long.toString(number));
        }
        if (hasEventTimer(key)) {
            timers.registerEventTimeTimer(FAR_MILLIS + number);
        }
        if (hasProcessingTimer(key)) {
            timers.registerProcessingTimeTimer(FAR_MILLIS + number);
        }
    }

    /** Describes the states of the current key. */
    String describe(long key) throws Exception {
        List<Long> all = new ArrayList<>();
        numbers.get().forEach(all::add);
        Map<Long, String> sorted = new TreeMap<>();
        latest.entries().forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
        return text(key, sum.value(), all, sorted);
    }

    /** Describes the states and timers of the current key. */
    String describe(long key, Set<Long> eventTimers, Set<Long> processingTimers) throws Exception {
        return describe(key) + " timers " + timers(eventTimers, processingTimers);
    }

    // ---- what is to be expected ----

    static boolean hasState(long key) {
        return hasSum(key) || hasNumbers(key) || hasLatest(key);
    }

    /** What {@link #describe(long)} must say when all numbers were added so many times. */
    static String expected(long key, int times) {
        Long sum = null;
        List<Long> all = new ArrayList<>();
        Map<Long, String> latest = new TreeMap<>();
        for (int i = 0; i < times; i++) {
            for (long number = key; number < NUMBERS; number += KEYS) {
                if (hasSum(key)) {
                    sum = (sum == null ? 0 : sum) + number;
                }
                if (hasNumbers(key)) {
                    all.add(number);
                }
                if (hasLatest(key)) {
                    latest.put(number % REMAINDERS, Long.toString(number));
                }
            }
        }
        return text(key, sum, all, latest);
    }

    /** What {@link #describe(long, Set, Set)} must say. */
    static String expectedWithTimers(long key) {
        return expected(key, 1)
                + " timers "
                + timers(
                        hasEventTimer(key) ? expectedTimers(key) : Set.of(),
                        hasProcessingTimer(key) ? expectedTimers(key) : Set.of());
    }

    /** The event-time timers that all keys have together, as {@link #timer} describes them. */
    static List<String> expectedEventTimers() {
        List<String> all = new ArrayList<>();
        for (long key = 0; key < KEYS; key++) {
            if (hasEventTimer(key)) {
                for (long timestamp : expectedTimers(key)) {
                    all.add(timer(key, timestamp));
                }
            }
        }
        return all;
    }

    static String timer(long key, long timestamp) {
        return "timer of " + key + " at " + timestamp;
    }

    private static Set<Long> expectedTimers(long key) {
        Set<Long> timers = new TreeSet<>();
        for (long number = key; number < NUMBERS; number += KEYS) {
            timers.add(FAR_MILLIS + number);
        }
        return timers;
    }

    private static String text(long key, Long sum, List<Long> numbers, Map<Long, String> latest) {
        return key + ": sum " + sum + " numbers " + numbers + " latest " + latest;
    }

    private static String timers(Set<Long> event, Set<Long> processing) {
        return new TreeSet<>(event) + " " + new TreeSet<>(processing);
    }

    private static boolean hasSum(long key) {
        return key % 2 == 0;
    }

    private static boolean hasNumbers(long key) {
        return key % 5 != 4;
    }

    private static boolean hasLatest(long key) {
        return key % 3 != 0;
    }

    private static boolean hasEventTimer(long key) {
        return key % 4 == 1;
    }

    private static boolean hasProcessingTimer(long key) {
        return key % 4 == 2;
    }
}
