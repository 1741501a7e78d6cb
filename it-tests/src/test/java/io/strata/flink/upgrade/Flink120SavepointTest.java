/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A job of Flink 1.20 goes on with Strata: its canonical savepoints, which lie beside their
 * generator in the resources, hold what they should. Each key is asked for its states; at the end
 * of the input all timers and windows fire.
 */
class Flink120SavepointTest {

    private static final long AFTER_ALL_TIMERS = 10 * SavedStates.TIMER_DELAY;

    @TempDir Path local;

    @ParameterizedTest
    @ValueSource(strings = {"hashmap", "rocksdb"})
    void restoresWhatTheBackendWrote(String writer) throws Exception {
        assertThat(run("savepoints/flink-1.20/" + writer, 3)).isEqualTo(expected());
    }

    private List<String> run(String savepoint, int parallelism) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(
                StateBackendOptions.STATE_BACKEND, "io.strata.flink.StrataStateBackendFactory");
        configuration.setString("state.backend.strata.local-directories", local.toString());
        configuration.set(
                StateRecoveryOptions.SAVEPOINT_PATH,
                getClass().getClassLoader().getResource(savepoint).toString());
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(parallelism, configuration);
        environment.setMaxParallelism(128);
        List<Tuple2<String, Long>> questions = new ArrayList<>();
        for (String key : numbersByKey().keySet()) {
            questions.add(Tuple2.of(key, 0L));
        }
        DataStream<Tuple2<String, Long>> records =
                environment
                        .fromData(questions, Types.TUPLE(Types.STRING, Types.LONG))
                        .assignTimestampsAndWatermarks(
                                WatermarkStrategy.<Tuple2<String, Long>>forMonotonousTimestamps()
                                        .withTimestampAssigner(
                                                (question, time) -> AFTER_ALL_TIMERS));
        DataStream<String> results =
                SavedJob.of(
                        records,
                        TumblingEventTimeWindows.of(SavedJob.WINDOW),
                        EventTimeSessionWindows.withGap(SavedJob.SESSION_GAP));
        List<String> found = new ArrayList<>();
        try (CloseableIterator<String> iterator = results.executeAndCollect()) {
            iterator.forEachRemaining(found::add);
        }
        Collections.sort(found);
        return found;
    }

    private static List<String> expected() {
        List<String> expected = new ArrayList<>();
        numbersByKey()
                .forEach(
                        (key, numbers) -> {
                            expected.add(key + " " + contents(numbers));
                            for (long number : numbers) {
                                long time = number + SavedStates.TIMER_DELAY;
                                expected.add(key + " timer " + time);
                            }
                            expected.addAll(windows(key, numbers));
                        });
        Collections.sort(expected);
        return expected;
    }

    private static Map<String, List<Long>> numbersByKey() {
        Map<String, List<Long>> numbers = new TreeMap<>();
        for (long number = 1; number <= SavedJob.NUMBERS; number++) {
            numbers.computeIfAbsent(SavedJob.key(number), key -> new ArrayList<>()).add(number);
        }
        return numbers;
    }

    private static String contents(List<Long> numbers) {
        Map<String, Object> contents = new TreeMap<>();
        Map<String, Long> byRemainder = new TreeMap<>();
        Map<Integer, String> byNumber = new TreeMap<>();
        for (long number : numbers) {
            byRemainder.put("r" + number % 7, number);
            byNumber.put((int) number % 3, "n" + number);
        }
        long last = numbers.get(numbers.size() - 1);
        contents.put("last", last);
        contents.put("visit", "page-" + last % 5 + "@" + last);
        contents.put("history", numbers.stream().map(number -> "h" + number).toList());
        contents.put("byRemainder", byRemainder);
        contents.put("sum", numbers.stream().mapToLong(Long::longValue).sum());
        contents.put("count", numbers.size());
        contents.put("lastKept", "l" + last);
        contents.put("historyKept", numbers);
        contents.put("byNumberKept", byNumber);
        contents.put("expired", Map.of());
        return contents.toString();
    }

    private static List<String> windows(String key, List<Long> numbers) {
        List<String> windows = new ArrayList<>();
        long size = SavedJob.WINDOW.toMillis();
        TreeSet<Long> starts = new TreeSet<>();
        numbers.forEach(number -> starts.add(number / size * size));
        for (long start : starts) {
            long sum =
                    numbers.stream()
                            .filter(number -> number / size * size == start)
                            .mapToLong(Long::longValue)
                            .sum();
            windows.add(key + " sum " + start + ": " + sum);
        }
        StringBuilder session = new StringBuilder();
        for (int i = 0; i < numbers.size(); i++) {
            session.append(' ').append(numbers.get(i));
            boolean ends =
                    i == numbers.size() - 1
                            || numbers.get(i + 1) - numbers.get(i)
                                    > SavedJob.SESSION_GAP.toMillis();
            if (ends) {
                windows.add(key + " session" + session);
                session.setLength(0);
            }
        }
        return windows;
    }
}
