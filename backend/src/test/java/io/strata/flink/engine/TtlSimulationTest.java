/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.engine.TimedCells.Lifetime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs on a simulated clock over the whole engine, with a time to live of an hour and a flush every
 * five minutes. {@code -Dstrata.print} prints what is in ADR 0006; {@code -Dstrata.seed} replays.
 */
class TtlSimulationTest {

    private static final Duration TTL = Duration.ofHours(1);
    private static final Duration STEP = Duration.ofMinutes(5);
    private static final int STEPS_A_DAY = (int) (Duration.ofDays(1).toMillis() / STEP.toMillis());
    private static final int STEPS_ALIVE = (int) (TTL.toMillis() / STEP.toMillis());
    private static final int WRITES_A_STEP = 150;
    private static final long SEED = Long.getLong("strata.seed", 20260101);

    @TempDir Path directory;

    private final Lifetime lifetime = new Lifetime(TTL.toMillis());
    private final Random random = new Random(SEED);

    /** What a simulation showed after its first three hours. */
    private record Result(
            double space, double spaceInMerges, int runs, StoreStats stats, double expiredRead) {

        double read() {
            return (double) stats.compactionReadBytes() / stats.flushedBytes();
        }

        @Override
        public String toString() {
            return "space %.2f, at most %.2f while merging; runs %d; bytes merged %.2f and read %.2f for each flushed, of the read ones %.4f had expired; %d runs went unread"
                    .formatted(
                            space,
                            spaceInMerges,
                            runs,
                            (double) stats.compactedBytes() / stats.flushedBytes(),
                            read(),
                            expiredRead,
                            stats.expiredRuns());
        }
    }

    /** Each record asks whether it came before, and mostly it did not. */
    @Test
    void thirtyDaysOfDeduplication() throws IOException {
        long[] next = {0};
        Result result =
                simulate(
                        "deduplication, 30 days",
                        30 * STEPS_A_DAY,
                        (table, live) -> {
                            boolean again = next[0] > 0 && random.nextInt(10) == 0;
                            long key = again ? next[0] - 1 - random.nextInt(1_500) : next[0]++;
                            if (table.get(key, 0) == null) {
                                table.put(key, 0, lifetime.clock().get());
                                live.put(key, lifetime.clock().get());
                            }
                        });
        assertThat(result.space()).isLessThan(2.2);
        assertThat(result.spaceInMerges()).isLessThan(2.2);
        assertThat(result.expiredRead()).isLessThan(0.05);
        assertThat(result.runs()).isLessThanOrEqualTo(10);
    }

    /** All keys are written again and again, so that nothing but space makes the engine merge. */
    @Test
    void fewKeysWrittenAgainAndAgain() throws IOException {
        Result result =
                simulate(
                        "updates of 500 keys, 3 days",
                        3 * STEPS_A_DAY,
                        (table, live) -> {
                            long key = random.nextInt(500);
                            table.put(key, 0, lifetime.clock().get());
                            live.put(key, lifetime.clock().get());
                        });
        assertThat(result.space()).isLessThan(2.5);
        assertThat(result.runs()).isLessThanOrEqualTo(10);
    }

    /** Half of the writes are of new keys, half of few old ones. */
    @Test
    void newKeysAndUpdatesMixed() throws IOException {
        long[] next = {1_000};
        Result result =
                simulate(
                        "half new keys, half updates, 3 days",
                        3 * STEPS_A_DAY,
                        (table, live) -> {
                            long key = random.nextBoolean() ? random.nextInt(300) : next[0]++;
                            table.put(key, 0, lifetime.clock().get());
                            live.put(key, lifetime.clock().get());
                        });
        assertThat(result.space()).isLessThan(2.5);
        assertThat(result.runs()).isLessThanOrEqualTo(10);
    }

    /** What one record does to the table, and to the times at which keys were written last. */
    private interface Job {
        void record(ValueTable<Long, Integer, Long> table, Map<Long, Long> live) throws IOException;
    }

    private Result simulate(String name, int steps, Job job) throws IOException {
        Map<Long, Long> live = new HashMap<>();
        double space = 0;
        double spaceInMerges = 0;
        int runs = 0;
        try (TimedStore timed = new TimedStore(directory.resolve("store"), lifetime)) {
            for (int step = 0; step < steps; step++) {
                lifetime.clock().addAndGet(STEP.toMillis());
                for (int i = 0; i < WRITES_A_STEP; i++) {
                    timed.store.recordBoundary();
                    job.record(timed.table, live);
                }
                long readBefore = timed.store.stats().compactionReadBytes();
                timed.settle();
                StoreStats stats = timed.store.stats();
                live.values().removeIf(t -> t + TTL.toMillis() <= lifetime.clock().get());
                if (step >= 3 * STEPS_ALIVE) {
                    double recordBytes = (double) stats.coldBytes() / stats.coldRecords();
                    double liveBytes = live.size() * recordBytes;
                    long merged = stats.compactionReadBytes() - readBefore;
                    long disk = timed.diskBytes();
                    space = Math.max(space, disk / liveBytes);
                    spaceInMerges = Math.max(spaceInMerges, (disk + merged) / liveBytes);
                    runs = Math.max(runs, timed.runs().size());
                }
            }
            StoreStats stats = timed.store.stats();
            double expiredRead = (double) lifetime.expiredBytesRead().get() / stats.flushedBytes();
            Result result = new Result(space, spaceInMerges, runs, stats, expiredRead);
            if (System.getProperty("strata.print") != null) {
                System.out.println(name + ": " + result);
            }
            return result;
        }
    }
}
