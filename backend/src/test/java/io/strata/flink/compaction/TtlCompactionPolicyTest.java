/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.format.segment.KeyGroupSpan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Single decisions of the policy; {@code TtlSimulationTest} shows what they come to. */
class TtlCompactionPolicyTest {

    private static final long SEED = Long.getLong("strata.seed", 20260101);
    private static final int FLUSHES = 10_000;
    private static final long TTL = 400;
    private static final long NOW = 10_050;

    private final TtlCompactionPolicy policy = new TtlCompactionPolicy();
    private final TestExpiry expiry = new TestExpiry(false, TTL);

    TtlCompactionPolicyTest() {
        expiry.time = NOW;
    }

    @Test
    void runsOfDifferentWindowsStayApart() {
        List<RunSize> sizes = List.of(run(10_010), run(9_950), run(9_850), run(9_750));
        assertThat(plan(sizes)).isEmpty();
    }

    @Test
    void aWindowThatIsOverIsMergedOnce() {
        List<RunSize> sizes = List.of(run(10_010), run(9_990), run(9_950), run(9_910), run(9_850));
        assertThat(plan(sizes)).contains(new CompactionPlan(1, 3));
    }

    @Test
    void aLargeRunOfAWindowThatIsOverIsLeftAloneWhileRunsAreFew() {
        RunSize large = new RunSize(300, 0, 30_000, KeyGroupSpan.ALL, 9_910, 9_960);
        List<RunSize> sizes = new ArrayList<>(List.of(run(10_010), run(9_990), large));
        assertThat(plan(sizes)).isEmpty();
        for (int timestamp = 9_890; timestamp > 9_500; timestamp -= 100) {
            sizes.add(run(timestamp));
        }
        assertThat(plan(sizes)).contains(new CompactionPlan(1, 2));
    }

    @Test
    void newRunsAreMergedAmongThemselves() {
        List<RunSize> sizes = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            sizes.add(run(10_040 - i));
        }
        sizes.add(run(9_900));
        CompactionPlan plan = plan(sizes).orElseThrow();
        assertThat(plan.newestIndex()).isZero();
        assertThat(plan.oldestIndex()).isBetween(1, 6);
    }

    /** It will go whole soon; to rewrite it would be for nothing. */
    @Test
    void whatExpiresSoonIsLeftAlone() {
        RunSize old = new RunSize(100, 0, 10_000, KeyGroupSpan.ALL, 9_500, 9_700);
        assertThat(plan(List.of(old))).isEmpty();
        RunSize longer = new RunSize(100, 0, 10_000, KeyGroupSpan.ALL, 9_300, 9_900);
        assertThat(plan(List.of(longer))).contains(new CompactionPlan(0, 0));
    }

    @Test
    void whatNewerRunsSupersedeIsWaste() {
        List<RunSize> sizes = List.of(run(10_010), run(9_950), run(9_850));
        double[] superseded = {0, 0.9, 0.9};
        assertThat(policy.plan(sizes, superseded, expiry)).contains(new CompactionPlan(0, 2));
        assertThat(policy.plan(sizes, new double[] {0, 0.4, 0.4}, expiry)).isEmpty();
    }

    /** Tombstones count for the window of what is newer. */
    @Test
    void tombstonesHaveNoWindow() {
        RunSize tombstones = new RunSize(5, 5, 100, KeyGroupSpan.ALL, Expiry.NO_TTL, Expiry.NO_TTL);
        assertThat(plan(List.of(run(10_010), run(9_950), tombstones, run(9_920), run(9_850))))
                .contains(new CompactionPlan(1, 3));
    }

    @Test
    void isForRunsThatKnowTheirTimestamps() {
        assertThat(TtlCompactionPolicy.isFor(List.of(run(1)), expiry)).isTrue();
        assertThat(TtlCompactionPolicy.isFor(List.of(run(1)), Expiry.NEVER)).isFalse();
        assertThat(TtlCompactionPolicy.isFor(List.of(run(1)), new TestExpiry(true, TTL))).isFalse();
        assertThat(TtlCompactionPolicy.isFor(List.of(new RunSize(1, 0, 1)), expiry)).isFalse();
        assertThat(TtlCompactionPolicy.isFor(List.of(new RunSize(1, 1, 1)), expiry)).isTrue();
    }

    /** I6 with the largest time to live in flushes as the size of the state. */
    @ParameterizedTest
    @ValueSource(ints = {4, 12, 30, 100, 300, 1_000})
    void newKeysKeepI6(int lifetime) {
        int flushKeys = lifetime > 100 ? 10 : 40;
        assertWithinI6(
                "TTL of %d flushes, new keys".formatted(lifetime),
                lifetime,
                FLUSHES * flushKeys,
                (flush, random) -> range(flush * flushKeys, flushKeys));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 12, 30, 100, 300, 1_000})
    void updatesKeepI6(int lifetime) {
        int flushKeys = lifetime > 100 ? 10 : 40;
        int keys = lifetime * flushKeys;
        assertWithinI6(
                "TTL of %d flushes, updates of as many keys".formatted(lifetime),
                lifetime,
                keys,
                (flush, random) -> random.ints(flushKeys, 0, keys).toArray());
    }

    /** What the filters show as superseded is half, and rises and falls with each merge. */
    @ParameterizedTest
    @ValueSource(ints = {12, 100})
    void newKeysAndUpdatesKeepI6(int lifetime) {
        int flushKeys = 40;
        int updated = lifetime * flushKeys / 4;
        assertWithinI6(
                "TTL of %d flushes, half new keys, half updates".formatted(lifetime),
                lifetime,
                updated + FLUSHES * flushKeys,
                (flush, random) ->
                        IntStream.concat(
                                        random.ints(flushKeys / 2, 0, updated),
                                        Arrays.stream(
                                                range(updated + flush * flushKeys, flushKeys / 2)))
                                .toArray());
    }

    private static int[] range(int first, int count) {
        return IntStream.range(first, first + count).toArray();
    }

    private static void assertWithinI6(
            String name, int lifetime, int keyBound, TtlCompactionSimulation.Writes writes) {
        CompactionSimulation.Result result =
                new TtlCompactionSimulation(lifetime, keyBound, FLUSHES, writes, SEED)
                        .play(3 * lifetime, FLUSHES);
        CompactionPolicyTest.print("%-52s %s".formatted(name, result));
        CompactionPolicyTest.assertWithinI6(result, lifetime);
    }

    /** Whatever the sizes: plans are within bounds, and following them comes to an end. */
    @Test
    void plansAreValidForAnySizes() {
        Random random = new Random(SEED);
        for (int i = 0; i < 20_000; i++) {
            List<RunSize> sizes = new ArrayList<>();
            int count = 1 + random.nextInt(40);
            for (int run = 0; run < count; run++) {
                sizes.add(randomRun(random));
            }
            int busyFrom = random.nextInt(sizes.size() + 1);
            policy.planBeside(sizes, busyFrom, expiry)
                    .ifPresent(plan -> assertThat(plan.oldestIndex()).isLessThan(busyFrom));
            int steps = 0;
            for (Optional<CompactionPlan> plan = plan(sizes);
                    plan.isPresent();
                    plan = plan(sizes)) {
                assertThat(plan.get().oldestIndex()).isLessThan(sizes.size());
                List<RunSize> inputs =
                        sizes.subList(plan.get().newestIndex(), plan.get().oldestIndex() + 1);
                boolean bottom = plan.get().oldestIndex() == sizes.size() - 1;
                RunSize merged = merged(inputs, bottom);
                inputs.clear();
                if (merged.records() > 0) {
                    sizes.add(plan.get().newestIndex(), merged);
                }
                assertThat(++steps).as("seed %d, case %d", SEED, i).isLessThan(100);
            }
        }
    }

    private static RunSize randomRun(Random random) {
        long bytes = 1 + (long) Math.pow(10, 12 * random.nextDouble());
        long records = 1 + bytes / (1 + random.nextInt(100));
        long maxTtl = NOW - random.nextInt((int) TTL);
        long minTtl = maxTtl - random.nextInt(2 * (int) TTL);
        return random.nextInt(8) == 0
                ? new RunSize(
                        records, records, bytes, KeyGroupSpan.ALL, Expiry.NO_TTL, Expiry.NO_TTL)
                : new RunSize(records, records / 3, bytes, KeyGroupSpan.ALL, minTtl, maxTtl);
    }

    /** As the real merge: expired records go at the bottom and are tombstones elsewhere. */
    private RunSize merged(List<RunSize> inputs, boolean bottom) {
        long records = 0;
        long tombstones = 0;
        long bytes = 0;
        long minTtl = Expiry.NO_TTL;
        long maxTtl = Long.MIN_VALUE;
        for (RunSize input : inputs) {
            records += input.records() - (bottom ? input.tombstones() : 0);
            tombstones += bottom ? 0 : input.tombstones();
            bytes += bottom && input.onlyTombstones() ? 0 : input.bytes();
            if (!input.onlyTombstones()) {
                minTtl = Math.min(minTtl, Math.max(input.minTtl(), NOW - TTL + 1));
                maxTtl = Math.max(maxTtl, input.maxTtl());
            }
        }
        long newest = maxTtl == Long.MIN_VALUE ? Expiry.NO_TTL : maxTtl;
        return new RunSize(records, tombstones, bytes, KeyGroupSpan.ALL, minTtl, newest);
    }

    private Optional<CompactionPlan> plan(List<RunSize> sizes) {
        return policy.plan(sizes, new double[sizes.size()], expiry);
    }

    private static RunSize run(long timestamp) {
        return new RunSize(100, 0, 10_000, KeyGroupSpan.ALL, timestamp, timestamp);
    }
}
