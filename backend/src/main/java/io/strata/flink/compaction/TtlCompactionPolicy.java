/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import java.util.List;
import java.util.Optional;

/**
 * Decides which runs of a state with TTL to merge: a pure function like {@link CompactionPolicy},
 * with the aim that runs expire whole and are never read to clean up.
 *
 * <p>Time is cut into {@link #WINDOWS} windows a time to live, and a run belongs to the window of
 * its newest timestamp. Runs of different windows are kept apart, so that each may go as soon as
 * its window has expired (the date-tiered compaction of Cassandra, with windows of one size). Four
 * rules, the first that applies:
 *
 * <ol>
 *   <li><em>Space.</em> When all runs together take {@link CompactionPolicy#MAX_SPACE} times what
 *       is estimated to live, merge all. What newer runs supersede is estimated from the filters,
 *       and what has expired from the timestamps, so a state whose keys are all new is not
 *       rewritten because it has grown, and one that is updated is.
 *   <li><em>Window.</em> When the runs of a window that is over are more than one, merge them; but
 *       one that is as large as the others of its window together is rewritten only when there are
 *       many runs. It comes from a merge for space, and the next one will take it anyway.
 *   <li><em>Count.</em> In the newest window the rule of {@link CompactionPolicy}, with fewer runs
 *       allowed the more there are of older windows, so that I6 holds for all of them together.
 *   <li><em>Limit.</em> As there.
 * </ol>
 *
 * <p>Where a run does not know its timestamps, {@link CompactionPolicy} decides. Measurements:
 * {@code docs/adr/0006-expired-state-goes-in-whole-runs.md}.
 */
public final class TtlCompactionPolicy {

    /**
     * How many windows a time to live has: the larger part a window is, the longer runs outlive.
     */
    static final int WINDOWS = 4;

    /**
     * The newest window may have so many runs fewer when all older windows have one; more when
     * fewer have.
     */
    private static final int FEWER_RUNS = 2;

    /** Runs allowed, older windows included, beyond those that are allowed above an oldest run. */
    private static final int MORE_RUNS = 1;

    private final CompactionPolicy fallback = new CompactionPolicy();

    /**
     * Tells whether this policy is for such runs: whether all of them know their timestamps.
     *
     * @param expiry of the state; lists are not for it, since their records grow old by parts
     */
    public static boolean isFor(List<RunSize> newestFirst, Expiry expiry) {
        return expiry.hasTimestamps()
                && !expiry.isElementwise()
                && newestFirst.stream()
                        .allMatch(run -> run.onlyTombstones() || run.maxTtl() != Expiry.NO_TTL);
    }

    /**
     * Says what to merge next.
     *
     * @param newestFirst all runs of one state, for which {@link #isFor} holds
     * @param superseded for each the part of its records that newer runs are estimated to supersede
     * @param expiry tells the time and how long values live
     * @return a range of neighbours, perhaps a single run; empty when nothing is due
     */
    public Optional<CompactionPlan> plan(
            List<RunSize> newestFirst, double[] superseded, Expiry expiry) {
        if (newestFirst.isEmpty()) {
            return Optional.empty();
        }
        if (wastesSpace(newestFirst, superseded, expiry)) {
            return Optional.of(new CompactionPlan(0, newestFirst.size() - 1));
        }
        long[] windows = windows(newestFirst, expiry);
        int open = runsOfOpenWindow(windows, windowOf(expiry.now(), expiry));
        Optional<CompactionPlan> plan = planWindow(newestFirst, windows, open);
        if (plan.isEmpty()) {
            int over = newestFirst.size() - open;
            int fewer = Math.min(FEWER_RUNS, over - MORE_RUNS);
            plan = CompactionPolicy.planCount(newestFirst, open, fewer);
        }
        return plan.isEmpty() ? CompactionPolicy.planLimit(newestFirst) : plan;
    }

    /** Merges a window that is over, unless most of it is one run and there are few runs. */
    private static Optional<CompactionPlan> planWindow(
            List<RunSize> newestFirst, long[] windows, int open) {
        int allowed = CompactionPolicy.allowedRuns(newestFirst, open) + MORE_RUNS;
        for (int from = open; from < windows.length; ) {
            int to = from;
            long bytes = newestFirst.get(from).bytes();
            long largest = bytes;
            while (to + 1 < windows.length && windows[to + 1] == windows[from]) {
                to++;
                bytes += newestFirst.get(to).bytes();
                largest = Math.max(largest, newestFirst.get(to).bytes());
            }
            if (to > from && (2 * largest < bytes || newestFirst.size() > allowed)) {
                return Optional.of(new CompactionPlan(from, to));
            }
            from = to + 1;
        }
        return Optional.empty();
    }

    /**
     * Says what to merge next while older runs are already being merged.
     *
     * @param busyFrom the index from which on runs are inputs of a merge under way, or older
     */
    public Optional<CompactionPlan> planBeside(
            List<RunSize> newestFirst, int busyFrom, Expiry expiry) {
        long[] windows = windows(newestFirst, expiry);
        int open = runsOfOpenWindow(windows, windowOf(expiry.now(), expiry));
        return fallback.planBeside(newestFirst, Math.min(open, busyFrom));
    }

    private static boolean wastesSpace(
            List<RunSize> newestFirst, double[] superseded, Expiry expiry) {
        double allBytes = 0;
        double liveBytes = 0;
        boolean worthIt = false;
        for (int i = 0; i < newestFirst.size(); i++) {
            RunSize run = newestFirst.get(i);
            double expired = expiredPart(run, expiry);
            double values = 1 - (double) run.tombstones() / Math.max(1, run.records());
            allBytes += run.bytes();
            liveBytes += run.bytes() * values * (1 - superseded[i]) * (1 - expired);
            worthIt |= superseded[i] > 0 || values < 1 || expired > 0;
        }
        return worthIt
                && allBytes > CompactionPolicy.MAX_SPACE * liveBytes
                && (newestFirst.size() > 1 || outlives(newestFirst.get(0), expiry));
    }

    /** Takes timestamps as spread evenly between the oldest and the newest one. */
    private static double expiredPart(RunSize run, Expiry expiry) {
        if (run.onlyTombstones() || !expiry.isExpired(run.minTtl())) {
            return 0;
        }
        double range = Math.max(1, (double) run.maxTtl() - run.minTtl());
        double expired = (double) expiry.now() - expiry.timeToLiveMillis() - run.minTtl();
        return Math.min(1, Math.max(0, expired / range));
    }

    /** Tells whether a run will stay for more than a window: until then it is left to expire. */
    private static boolean outlives(RunSize run, Expiry expiry) {
        double left = (double) run.maxTtl() + expiry.timeToLiveMillis() - expiry.now();
        return run.onlyTombstones() || left > windowMillis(expiry);
    }

    /** Returns the window of each run; tombstones belong to what is newer than they are. */
    private static long[] windows(List<RunSize> newestFirst, Expiry expiry) {
        long[] windows = new long[newestFirst.size()];
        long newer = windowOf(expiry.now(), expiry);
        for (int i = 0; i < windows.length; i++) {
            RunSize run = newestFirst.get(i);
            windows[i] = run.onlyTombstones() ? newer : windowOf(run.maxTtl(), expiry);
            newer = windows[i];
        }
        return windows;
    }

    /** Returns how many of the newest runs belong to a window that is not over. */
    private static int runsOfOpenWindow(long[] windows, long present) {
        int open = 0;
        while (open < windows.length && windows[open] >= present) {
            open++;
        }
        return open;
    }

    private static long windowOf(long timestamp, Expiry expiry) {
        return Math.floorDiv(timestamp, windowMillis(expiry));
    }

    private static long windowMillis(Expiry expiry) {
        return Math.max(1, expiry.timeToLiveMillis() / WINDOWS);
    }
}
