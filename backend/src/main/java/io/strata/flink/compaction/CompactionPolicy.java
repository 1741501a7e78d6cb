/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import java.util.List;
import java.util.Optional;

/**
 * Decides which runs of a state to merge, from their sizes alone: a pure function that holds I6.
 *
 * <p>It is a lazy leveling (Dayan, Idreos, "Dostoevsky", SIGMOD 2018): the oldest run is the one
 * run of the largest level, and what lies above it is tiered. Two rules, the first that applies:
 *
 * <ol>
 *   <li><em>Space.</em> When all runs together take {@link #MAX_SPACE} times what may live, merge
 *       all. At least the oldest run lives, but for what newer tombstones may have deleted of it.
 *   <li><em>Count.</em> When more runs lie above the oldest than allowed, merge the newest {@code
 *       j} of them, for the {@code j} with the least {@code bytes(j) / room(j - 1)}. {@code
 *       room(k)} is how many flushes {@code k} free places take in before they are full, if runs in
 *       them may be rewritten {@link #REWRITES} times: {@code C(k + REWRITES, REWRITES + 1)}. So a
 *       merge is charged to the flushes it makes room for.
 * </ol>
 *
 * <p>With equal flushes the second rule follows the binomial schedule known to be optimal (Mathieu,
 * Staelin, Young, Yousefi, "Bigtable Merge Compaction", 2014), and as it looks at bytes, not at
 * counts, small flushes are merged among themselves before they touch anything large.
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

    private static final double BASE_FLUSHES = 100;

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
        if (wastesSpace(newestFirst)) {
            return Optional.of(new CompactionPlan(0, runs - 1));
        }
        return planCount(newestFirst.subList(0, runs - 1), newestFirst.get(runs - 1).bytes());
    }

    /**
     * Says what to merge next while the oldest of the runs are already being merged.
     *
     * @param newestFirst all runs of one state
     * @param busyFrom the index from which on runs are inputs of a merge under way, or older
     * @return a range of neighbours newer than those
     */
    public Optional<CompactionPlan> planBeside(List<RunSize> newestFirst, int busyFrom) {
        long busyBytes = 0;
        for (RunSize run : newestFirst.subList(busyFrom, newestFirst.size())) {
            busyBytes += run.bytes();
        }
        return planCount(newestFirst.subList(0, busyFrom), busyBytes);
    }

    private static boolean wastesSpace(List<RunSize> newestFirst) {
        RunSize oldest = newestFirst.get(newestFirst.size() - 1);
        long allBytes = oldest.bytes();
        long tombstones = 0;
        for (RunSize run : newestFirst.subList(0, newestFirst.size() - 1)) {
            allBytes += run.bytes();
            tombstones += run.tombstones();
        }
        double survivors = Math.max(0, oldest.records() - oldest.tombstones() - tombstones);
        double liveBytes = oldest.bytes() * survivors / Math.max(1, oldest.records());
        return allBytes > MAX_SPACE * liveBytes;
    }

    private static Optional<CompactionPlan> planCount(List<RunSize> upper, long oldestBytes) {
        if (upper.size() <= allowedRuns(upper, oldestBytes)) {
            return Optional.empty();
        }
        double leastCost = Double.MAX_VALUE;
        int best = 1;
        double bytes = upper.get(0).bytes();
        for (int last = 1; last < upper.size(); last++) {
            bytes += upper.get(last).bytes();
            double cost = bytes / room(last);
            if (cost <= leastCost) {
                leastCost = cost;
                best = last;
            }
        }
        return Optional.of(new CompactionPlan(0, best));
    }

    /** The flush size that scales the allowance is the mean of the newest third of the runs. */
    private static int allowedRuns(List<RunSize> upper, long oldestBytes) {
        int sample = Math.max(1, upper.size() / 3);
        double flushBytes = 1;
        for (RunSize run : upper.subList(0, Math.min(sample, upper.size()))) {
            flushBytes += (double) run.bytes() / sample;
        }
        double decades = Math.log10(oldestBytes / (flushBytes * BASE_FLUSHES));
        return BASE_RUNS + (int) Math.max(0, RUNS_PER_DECADE * decades);
    }

    /** C(places + REWRITES, REWRITES + 1), in floating point: only ratios matter. */
    private static double room(int places) {
        double room = 1;
        for (int i = 0; i <= REWRITES; i++) {
            room = room * (places + i) / (i + 1);
        }
        return room;
    }
}
