/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.compaction.CompactionSimulation.Result;
import io.strata.flink.format.segment.KeyGroupSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * I6, shown by simulation. {@code -Dstrata.seed} replays a seed; {@code -Dstrata.print} prints each
 * result, which is the table of ADR 0003.
 */
class CompactionPolicyTest {

    private static final long SEED = Long.getLong("strata.seed", 20260101);
    private static final int FLUSHES = 10_000;

    private final CompactionPolicy policy = new CompactionPolicy();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 10, 20, 30, 50, 75, 100, 300, 1_000, 3_000, 10_000})
    void uniformUpdatesKeepI6(int times) {
        Result result =
                simulate(
                        "uniform updates, state of " + times + " flushes",
                        SimulatedWorkload.uniform(times, times > 100 ? 20 : 100),
                        3 * times,
                        Math.max(FLUSHES, 3 * times));
        assertWithinI6(result, times);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 100})
    void skewedUpdates(int times) {
        Result result =
                simulate(
                        "skewed updates, state of " + times + " flushes",
                        SimulatedWorkload.skewed(times, 100),
                        3 * times,
                        FLUSHES);
        assertWithinI6(result, times);
    }

    /** The state is 850 mean flushes large; runs are counted in the smaller ones. */
    @Test
    void tinyFlushesAreMergedAmongThemselves() {
        Result result =
                simulate(
                        "tiny flushes among large, state of 100 large ones",
                        SimulatedWorkload.tinyAmongLarge(100, 250),
                        3_000,
                        FLUSHES);
        assertWithin(result, 12, 6, 2);
    }

    /** The state is 465 mean flushes large. */
    @Test
    void varyingFlushes() {
        Result result =
                simulate(
                        "flushes of varying size, state of 100 largest",
                        SimulatedWorkload.varying(100, 200),
                        1_000,
                        FLUSHES);
        assertWithin(result, 12, 6, 2);
    }

    /** A growing state is merged into its oldest run each time it has nearly doubled. */
    @Test
    void growingState() {
        Result result =
                simulate(
                        "new keys only, to 10000 flushes",
                        SimulatedWorkload.growing(FLUSHES, 40),
                        0,
                        FLUSHES);
        assertWithinI6(result, FLUSHES);
    }

    @Test
    void appendOnly() {
        Result result =
                simulate(
                        "appends only, to 10000 flushes",
                        SimulatedWorkload.appending(4_000, 40),
                        0,
                        FLUSHES);
        assertWithinI6(result, FLUSHES);
    }

    /** Space counts tombstones, and what they may have deleted of the oldest run. */
    @Test
    void deleteHeavy() {
        Result result =
                simulate(
                        "shrinking to a quarter and back, 30 flushes",
                        SimulatedWorkload.deleting(30, 100),
                        100,
                        FLUSHES);
        assertWithinI6(result, 30);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 20})
    void windows(int lifetime) {
        Result result =
                simulate(
                        "windows that live for " + lifetime + " flushes",
                        SimulatedWorkload.windows(lifetime, 40, FLUSHES),
                        0,
                        FLUSHES);
        assertWithinI6(result, lifetime);
    }

    /** A second merge beside the large one is what keeps runs few when merging is slow. */
    @Test
    void newRunsAreMergedBesideALargeMerge() {
        int alone =
                new CompactionSimulation(SimulatedWorkload.uniform(100, 100), SEED)
                        .playSlowly(500, 2_000, 5, false);
        int beside =
                new CompactionSimulation(SimulatedWorkload.uniform(100, 100), SEED)
                        .playSlowly(500, 2_000, 5, true);
        print(
                "most runs when merging is 5 times as fast as flushing: %d, with a second merge %d"
                        .formatted(alone, beside));
        assertThat(beside).isLessThanOrEqualTo(16).isLessThan(alone);
    }

    @Test
    void nothingToMerge() {
        assertThat(policy.plan(List.of())).isEmpty();
        assertThat(policy.plan(List.of(new RunSize(10, 3, 1_000)))).isEmpty();
        assertThat(policy.planBeside(List.of(new RunSize(10, 3, 1_000)), 0)).isEmpty();
    }

    @Test
    void tombstonesThatCoverTheOldestRunMergeAll() {
        List<RunSize> sizes = List.of(new RunSize(100, 100, 2_000), new RunSize(100, 0, 12_000));
        assertThat(policy.plan(sizes)).contains(new CompactionPlan(0, 1));
    }

    /** Four former backends with five runs each: adopted as they are, until much is updated. */
    @Test
    void runsSideBySideAreNotRewrittenForNothing() {
        List<RunSize> sizes = sideBySide(4);
        assertThat(policy.plan(sizes)).isEmpty();
        for (int flush = 0; flush < 3; flush++) {
            sizes.add(0, new RunSize(10, 0, 100_000));
        }
        assertThat(policy.plan(sizes)).contains(new CompactionPlan(0, 6));
        sizes.add(0, new RunSize(3_000, 0, 30_000_000));
        assertThat(policy.plan(sizes)).contains(new CompactionPlan(0, sizes.size() - 1));
    }

    @Test
    void tooManyRunsSideBySideAreMergedWhereItIsCheapest() {
        List<RunSize> sizes = sideBySide(5);
        assertThat(sizes).hasSizeGreaterThan(CompactionPolicy.MAX_RUNS);
        CompactionPlan plan = policy.plan(sizes).orElseThrow();
        assertThat(plan.runs()).isEqualTo(4);
        assertThat(sizes.get(plan.oldestIndex()).bytes()).isEqualTo(100_000);
    }

    /** Runs that share no key group are oldest runs only when they are large. */
    @Test
    void aSmallRunOfItsOwnKeyGroupsIsMerged() {
        List<RunSize> sizes = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            sizes.add(new RunSize(10, 0, 1 << 20, new KeyGroupSpan(i, i)));
        }
        sizes.add(new RunSize(1_000, 0, 100_000_000, new KeyGroupSpan(20, 30)));
        assertThat(policy.plan(sizes)).contains(new CompactionPlan(0, 6));
    }

    private static List<RunSize> sideBySide(int backends) {
        List<RunSize> sizes = new ArrayList<>();
        for (int i = 0; i < backends; i++) {
            KeyGroupSpan span = new KeyGroupSpan(16 * i, 16 * i + 15);
            for (int run = 0; run < 4; run++) {
                sizes.add(new RunSize(10, 0, 100_000, span));
            }
            sizes.add(new RunSize(1_000, 0, 10_000_000, span));
        }
        return sizes;
    }

    /**
     * Whatever the sizes: plans are neighbours within bounds and following them comes to an end.
     */
    @Test
    void plansAreValidForAnySizes() {
        Random random = new Random(SEED);
        for (int i = 0; i < 20_000; i++) {
            List<RunSize> sizes = randomSizes(random);
            int busyFrom = random.nextInt(sizes.size() + 1);
            policy.planBeside(sizes, busyFrom)
                    .ifPresent(plan -> assertThat(plan.oldestIndex()).isLessThan(busyFrom));
            int steps = 0;
            for (Optional<CompactionPlan> plan = policy.plan(sizes);
                    plan.isPresent();
                    plan = policy.plan(sizes)) {
                assertThat(plan.get().oldestIndex()).isLessThan(sizes.size());
                List<RunSize> inputs =
                        sizes.subList(plan.get().newestIndex(), plan.get().oldestIndex() + 1);
                RunSize merged = sum(inputs);
                inputs.clear();
                sizes.add(plan.get().newestIndex(), merged);
                assertThat(++steps).as("seed %d, case %d", SEED, i).isLessThan(100);
            }
        }
    }

    private static List<RunSize> randomSizes(Random random) {
        List<RunSize> sizes = new ArrayList<>();
        int count = 1 + random.nextInt(40);
        for (int i = 0; i < count; i++) {
            long bytes = (long) Math.pow(10, 12 * random.nextDouble()) - 1;
            long records = bytes / (1 + random.nextInt(100));
            int first = random.nextInt(100);
            KeyGroupSpan span =
                    random.nextBoolean()
                            ? KeyGroupSpan.ALL
                            : new KeyGroupSpan(first, first + random.nextInt(30));
            sizes.add(new RunSize(records, records * random.nextInt(3) / 2, bytes, span));
        }
        return sizes;
    }

    private static RunSize sum(List<RunSize> inputs) {
        long records = 0;
        long tombstones = 0;
        long bytes = 0;
        for (RunSize input : inputs) {
            records += input.records();
            tombstones += input.tombstones();
            bytes += input.bytes();
        }
        return new RunSize(records, tombstones, bytes);
    }

    private static Result simulate(
            String name, SimulatedWorkload workload, int warmUp, int flushes) {
        Result result = new CompactionSimulation(workload, SEED).play(warmUp, flushes);
        print("%-52s %s".formatted(name, result));
        return result;
    }

    static void assertWithinI6(Result result, int times) {
        double decades = Math.max(0, Math.log10(times / 100.0));
        assertWithin(result, (int) (8 + 4 * decades), 6 + 1.5 * decades, 2);
    }

    private static void assertWithin(Result result, int runs, double writes, double space) {
        assertThat(result.maxRuns()).as("runs").isLessThanOrEqualTo(runs);
        assertThat(result.writeAmplification())
                .as("write amplification")
                .isLessThanOrEqualTo(writes);
        assertThat(result.spaceAmplification())
                .as("space amplification")
                .isLessThanOrEqualTo(space);
    }

    static void print(String line) {
        if (System.getProperty("strata.print") != null) {
            System.out.println(line);
        }
    }
}
