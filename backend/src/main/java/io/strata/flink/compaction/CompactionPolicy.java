/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;

/**
 * Decides which runs of a state to merge, from their sizes alone: a pure function that holds I6.
 *
 * <p>It is a lazy leveling (Dayan, Idreos, "Dostoevsky", SIGMOD 2018): the oldest run is the one
 * run of the largest level, and what lies above it is tiered. Three rules, the first that applies:
 *
 * <ol>
 *   <li><em>Space.</em> When all runs together take {@link #MAX_SPACE} times what may live, merge
 *       all. At least the oldest run lives, but for what newer tombstones may have deleted of it.
 *   <li><em>Count.</em> When more runs lie above the oldest than allowed, merge the newest {@code
 *       j} of them, for the {@code j} with the least {@code bytes(j) / room(j - 1)}. {@code
 *       room(k)} is how many flushes {@code k} free places take in before they are full, if runs in
 *       them may be rewritten {@link #REWRITES} times: {@code C(k + REWRITES, REWRITES + 1)}. So a
 *       merge is charged to the flushes it makes room for.
 *   <li><em>Limit.</em> When there are more than {@link #MAX_RUNS} runs for whatever reason, merge
 *       the neighbours, at any age, for which the bytes by the places won are least.
 * </ol>
 *
 * <p>With equal flushes the second rule follows the binomial schedule known to be optimal (Mathieu,
 * Staelin, Young, Yousefi, "Bigtable Merge Compaction", 2014), and as it looks at bytes, not at
 * counts, small flushes are merged among themselves before they touch anything large.
 *
 * <p>After a rescale the runs of several former backends lie side by side, each with an oldest run
 * of its own, in key groups of its own. All of these count as oldest runs, or the restored state
 * would be rewritten at once for nothing. The count rule then works on what is newer than the first
 * of them; what the former backends had above theirs waits for the space rule.
 *
 * <p>Parameters and measurements: {@code docs/adr/0003-compaction-policy.md}.
 */
public final class CompactionPolicy {

    /** Bytes of all runs over bytes that surely live, above which all runs are merged. */
    static final double MAX_SPACE = 1.75;

    /** Runs above the oldest that are always allowed. */
    static final int BASE_RUNS = 5;

    /** Runs allowed in addition for each factor of ten by which the state exceeds 100 flushes. */
    static final int RUNS_PER_DECADE = 3;

    /** How often the count rule may expect one record to be rewritten above the oldest run. */
    static final int REWRITES = 3;

    /** Runs above which some are merged in any case. */
    static final int MAX_RUNS = 24;

    private static final double BASE_FLUSHES = 100;

    /** A run smaller than this part of all bytes is no oldest run beside another one. */
    private static final int MIN_OLDEST_PART = 16;

    /** Nor is one that costs next to nothing to merge, as flushes of a few keys often are. */
    static final int MIN_OLDEST_BYTES = 1 << 20;

    /**
     * Says what to merge next.
     *
     * @param newestFirst all runs of one state
     * @return a range of at least two neighbours, or empty when nothing is due
     */
    public Optional<CompactionPlan> plan(List<RunSize> newestFirst) {
        int runs = newestFirst.size();
        if (runs < 2) {
            return Optional.empty();
        }
        boolean[] oldest = oldestRuns(newestFirst);
        if (wastesSpace(newestFirst, oldest)) {
            return Optional.of(new CompactionPlan(0, runs - 1));
        }
        int above = 0;
        while (!oldest[above]) {
            above++;
        }
        Optional<CompactionPlan> plan = planCount(newestFirst, above);
        return plan.isEmpty() ? planLimit(newestFirst) : plan;
    }

    /** Applies the limit rule. */
    static Optional<CompactionPlan> planLimit(List<RunSize> newestFirst) {
        return newestFirst.size() > MAX_RUNS
                ? Optional.of(cheapest(newestFirst, newestFirst.size() - 2, places -> places))
                : Optional.empty();
    }

    /**
     * Says what to merge next while the oldest of the runs are already being merged.
     *
     * @param newestFirst all runs of one state
     * @param busyFrom the index from which on runs are inputs of a merge under way, or older
     * @return a range of neighbours newer than those
     */
    public Optional<CompactionPlan> planBeside(List<RunSize> newestFirst, int busyFrom) {
        return planCount(newestFirst, busyFrom);
    }

    /** Marks the last run, and large runs that share no key group with any older one. */
    private static boolean[] oldestRuns(List<RunSize> newestFirst) {
        int last = newestFirst.size() - 1;
        long allBytes = newestFirst.stream().mapToLong(RunSize::bytes).sum();
        boolean[] oldest = new boolean[last + 1];
        oldest[last] = true;
        for (int i = 0; i < last; i++) {
            RunSize run = newestFirst.get(i);
            oldest[i] =
                    run.bytes() >= Math.max(MIN_OLDEST_BYTES, allBytes / MIN_OLDEST_PART)
                            && newestFirst.subList(i + 1, last + 1).stream()
                                    .noneMatch(older -> older.span().intersects(run.span()));
        }
        return oldest;
    }

    private static boolean wastesSpace(List<RunSize> newestFirst, boolean[] oldest) {
        long allBytes = 0;
        long oldestBytes = 0;
        long oldestRecords = 0;
        long tombstones = 0;
        for (int i = 0; i < oldest.length; i++) {
            RunSize run = newestFirst.get(i);
            allBytes += run.bytes();
            tombstones += run.tombstones();
            oldestBytes += oldest[i] ? run.bytes() : 0;
            oldestRecords += oldest[i] ? run.records() : 0;
        }
        double survivors = Math.max(0, oldestRecords - tombstones);
        double liveBytes = oldestBytes * survivors / Math.max(1, oldestRecords);
        return allBytes > MAX_SPACE * liveBytes;
    }

    /** Applies the count rule to the runs before index {@code above}. */
    private static Optional<CompactionPlan> planCount(List<RunSize> newestFirst, int above) {
        return planCount(newestFirst, above, 0);
    }

    /**
     * The same with fewer runs allowed.
     *
     * @param fewer how many fewer, for what stands beside these
     */
    static Optional<CompactionPlan> planCount(List<RunSize> newestFirst, int above, int fewer) {
        if (above <= allowedRuns(newestFirst, above) - fewer) {
            return Optional.empty();
        }
        return Optional.of(cheapest(newestFirst.subList(0, above), 0, CompactionPolicy::room));
    }

    /**
     * Returns the range of neighbours, its newest at most at {@code lastNewest}, for which bytes by
     * the room that the places won by merging make are least.
     */
    private static CompactionPlan cheapest(
            List<RunSize> newestFirst, int lastNewest, IntToDoubleFunction room) {
        double leastCost = Double.MAX_VALUE;
        CompactionPlan best = new CompactionPlan(0, 1);
        for (int newest = 0; newest <= lastNewest; newest++) {
            double bytes = newestFirst.get(newest).bytes();
            for (int last = newest + 1; last < newestFirst.size(); last++) {
                bytes += newestFirst.get(last).bytes();
                double cost = bytes / room.applyAsDouble(last - newest);
                if (cost <= leastCost) {
                    leastCost = cost;
                    best = new CompactionPlan(newest, last);
                }
            }
        }
        return best;
    }

    /** The flush size that scales the allowance is the mean of the newest third of the runs. */
    static int allowedRuns(List<RunSize> newestFirst, int above) {
        int sample = Math.max(1, above / 3);
        double flushBytes = 1;
        for (RunSize run : newestFirst.subList(0, Math.min(sample, above))) {
            flushBytes += (double) run.bytes() / sample;
        }
        double olderBytes = 0;
        for (RunSize run : newestFirst.subList(above, newestFirst.size())) {
            olderBytes += run.bytes();
        }
        double decades = Math.log10(olderBytes / (flushBytes * BASE_FLUSHES));
        return BASE_RUNS + (int) Math.max(0, RUNS_PER_DECADE * decades);
    }

    /** C(places + REWRITES, REWRITES + 1), in floating point: only ratios matter. */
    static double room(int places) {
        double room = 1;
        for (int i = 0; i <= REWRITES; i++) {
            room = room * (places + i) / (i + 1);
        }
        return room;
    }
}
