/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.eventtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs with a failure in the middle, whose state expires by event time. */
class EventTimeTtlJobTest {

    private static final int PARALLELISM = 2;
    private static final int CLICKS = 4_000;
    private static final long WINDOW_MILLIS = 20_000;

    @TempDir private Path directory;

    @BeforeEach
    void noFailureYet() {
        FailOnce.failures.set(0);
    }

    @Test
    void firstClicksAreExactAcrossAFailure() throws Exception {
        List<Long> passed = collect(clicks().keyBy(click -> click.user).process(new FirstClicks()));

        assertThat(FailOnce.failures).hasValue(1);
        assertThat(passed).hasSizeGreaterThan(CLICKS / 10).hasSizeLessThan(CLICKS / 2);
        assertThat(passed).containsExactlyInAnyOrderElementsOf(expectedFirstClicks());
    }

    @Test
    void windowsKeepTheirStateThroughTheAllowedLateness() throws Exception {
        List<String> fired =
                collect(
                        clicks().keyBy(click -> click.user)
                                .window(
                                        TumblingEventTimeWindows.of(
                                                Duration.ofMillis(WINDOW_MILLIS)))
                                .allowedLateness(ClicksOfWindow.ALLOWED_LATENESS)
                                .process(new ClicksOfWindow()));

        List<String> expected = expectedFirings();
        assertThat(FailOnce.failures).hasValue(1);
        assertThat(expected).anyMatch(line -> line.contains("#2"));
        assertThat(fired).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void theGuideShowsTheseFunctions() throws Exception {
        Path root = Path.of(System.getProperty("strata.project.root"));
        String source =
                Files.readString(
                        root.resolve(
                                "it-tests/src/test/java/io/strata/flink/eventtime/FirstClicks.java"));
        List<String> lines = source.lines().map(String::strip).toList();
        List<String> blocks = new ArrayList<>();
        Matcher matcher =
                Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                        .matcher(Files.readString(root.resolve("docs/event-time-ttl.md")));
        while (matcher.find()) {
            blocks.add(matcher.group(1));
            assertThat(lines)
                    .containsSequence(matcher.group(1).lines().map(String::strip).toList());
        }
        assertThat(blocks).hasSize(3);
    }

    /** What is written before its task hears of any event time counts as written when it does. */
    private static List<Long> expectedFirstClicks() {
        Map<Integer, Long> seenAt = new HashMap<>();
        Map<Integer, Long> startOfTask = new HashMap<>();
        List<Long> passed = new ArrayList<>();
        long watermark = Long.MIN_VALUE;
        for (Click click : Click.first(CLICKS)) {
            int task =
                    KeyGroupRangeAssignment.assignKeyToParallelOperator(
                            click.user,
                            KeyGroupRangeAssignment.DEFAULT_LOWER_BOUND_MAX_PARALLELISM,
                            PARALLELISM);
            if (watermark > Long.MIN_VALUE) {
                startOfTask.putIfAbsent(task, watermark);
            }
            Long seen = seenAt.get(click.user);
            if (seen != null && seen == Long.MIN_VALUE) {
                seen = startOfTask.get(task);
            }
            if (seen == null || seen + FirstClicks.MEMORY.toMillis() <= watermark) {
                seenAt.put(click.user, watermark);
                passed.add(click.number);
            }
            watermark = Math.max(watermark, click.time - Click.WATERMARK_DELAY_MILLIS);
        }
        return passed;
    }

    /** On time at the watermark's passing of the window's end; then once more for each late one. */
    private static List<String> expectedFirings() {
        Map<String, Integer> counts = new TreeMap<>();
        Map<String, Integer> firings = new HashMap<>();
        Map<String, Long> ends = new HashMap<>();
        List<String> lines = new ArrayList<>();
        long watermark = Long.MIN_VALUE;
        for (Click click : Click.first(CLICKS)) {
            long begin = click.time - Math.floorMod(click.time, WINDOW_MILLIS);
            String window = click.user + "@" + begin;
            long last = begin + WINDOW_MILLIS - 1;
            if (last + ClicksOfWindow.ALLOWED_LATENESS.toMillis() > watermark) {
                counts.merge(window, 1, Integer::sum);
                ends.put(window, last);
                if (last <= watermark) {
                    fire(window, counts, firings, lines);
                }
            }
            long now = Math.max(watermark, click.time - Click.WATERMARK_DELAY_MILLIS);
            for (Map.Entry<String, Long> end : ends.entrySet()) {
                if (end.getValue() > watermark && end.getValue() <= now) {
                    fire(end.getKey(), counts, firings, lines);
                }
            }
            watermark = now;
        }
        for (Map.Entry<String, Long> end : ends.entrySet()) {
            if (end.getValue() > watermark) {
                fire(end.getKey(), counts, firings, lines);
            }
        }
        return lines;
    }

    private static void fire(
            String window,
            Map<String, Integer> counts,
            Map<String, Integer> firings,
            List<String> lines) {
        int firing = firings.merge(window, 1, Integer::sum);
        lines.add("%s #%d: %d".formatted(window, firing, counts.get(window)));
    }

    private DataStream<Click> clicks() {
        Configuration options = new Configuration();
        options.setString("state.backend.type", "io.strata.flink.StrataStateBackendFactory");
        options.setString("state.backend.strata.ttl.time-characteristic", "event-time");
        options.setString("state.backend.strata.debug.flush-every-operations", "50");
        options.setString("state.backend.strata.debug.evict-all", "true");
        options.setString("state.backend.strata.local-directories", directory.toString());
        options.setString("execution.checkpointing.interval", "50ms");
        options.setString("execution.checkpointing.dir", directory.toUri() + "/checkpoints");
        options.setString("restart-strategy.type", "fixed-delay");
        options.setString("restart-strategy.fixed-delay.attempts", "1");
        options.setString("restart-strategy.fixed-delay.delay", "10ms");
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.createLocalEnvironment(PARALLELISM, options);
        return env.fromSequence(0, CLICKS - 1)
                .setParallelism(1)
                .map(Click::of)
                .setParallelism(1)
                .map(new FailOnce())
                .setParallelism(1)
                .assignTimestampsAndWatermarks(Click.watermarks())
                .setParallelism(1);
    }

    private static <T> List<T> collect(DataStream<T> stream) throws Exception {
        List<T> results = new ArrayList<>();
        try (CloseableIterator<T> iterator = stream.executeAndCollect()) {
            iterator.forEachRemaining(results::add);
        }
        return results;
    }

    /** Throws once, in the second half, after a checkpoint there, for which it gives time. */
    private static final class FailOnce implements MapFunction<Click, Click>, CheckpointListener {

        static final AtomicInteger failures = new AtomicInteger();

        private static final long serialVersionUID = 1L;

        private transient volatile boolean checkpointed;
        private transient boolean late;

        @Override
        public Click map(Click click) throws Exception {
            late = click.number > CLICKS / 2;
            if (late && checkpointed && failures.compareAndSet(0, 1)) {
                throw new IllegalStateException("thrown by the test");
            }
            if (late && failures.get() == 0) {
                Thread.sleep(20);
            }
            return click;
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) {
            checkpointed |= late;
        }
    }
}
