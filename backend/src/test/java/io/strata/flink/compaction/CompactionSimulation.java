/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Plays flushes and merges of one state without I/O, and measures what the policy makes of them.
 *
 * <p>Everything is measured at its worst moment: when a flush has just been added and nothing has
 * been merged yet. The output of a merge under way is not counted.
 */
final class CompactionSimulation {

    /**
     * What a simulation showed after its warm-up.
     *
     * @param maxRuns the most runs there were at once
     * @param meanRuns the mean number of runs over all flushes
     * @param writeAmplification bytes flushed and merged over bytes flushed
     * @param spaceAmplification the most that bytes of runs were over live bytes
     */
    record Result(
            int maxRuns, double meanRuns, double writeAmplification, double spaceAmplification) {

        @Override
        public String toString() {
            return "%4d %6.1f %6.2f %6.2f"
                    .formatted(maxRuns, meanRuns, writeAmplification, spaceAmplification);
        }
    }

    private final CompactionPolicy policy = new CompactionPolicy();
    private final SimulatedWorkload workload;
    private final Random random;
    private final List<SimulatedRun> runs = new ArrayList<>();
    private final int[] liveSizes;
    private long liveBytes;
    private long runBytes;
    private long flushedBytes;
    private long writtenBytes;

    CompactionSimulation(SimulatedWorkload workload, long seed) {
        this.workload = workload;
        this.random = new Random(seed);
        this.liveSizes = new int[workload.keyBound()];
        SimulatedRun start = workload.start();
        if (start.keys().length > 0) {
            add(start);
        }
    }

    /** Plays {@code warmUp} and then {@code flushes} measured flushes, merging as if at once. */
    Result play(int warmUp, int flushes) {
        int maxRuns = 0;
        long sumRuns = 0;
        double space = 0;
        for (int i = 0; i < warmUp + flushes; i++) {
            if (i == warmUp) {
                flushedBytes = 0;
                writtenBytes = 0;
            }
            flush(i);
            if (i >= warmUp) {
                maxRuns = Math.max(maxRuns, runs.size());
                sumRuns += runs.size();
                space = Math.max(space, (double) runBytes / Math.max(1, liveBytes));
            }
            for (Optional<CompactionPlan> plan = plan(); plan.isPresent(); plan = plan()) {
                install(plan.get(), merged(plan.get()));
            }
        }
        return new Result(
                maxRuns,
                (double) sumRuns / flushes,
                (double) writtenBytes / Math.max(1, flushedBytes),
                space);
    }

    /**
     * Plays flushes while one thread merges everything and another, if {@code beside}, what is
     * newer than that; each writes {@code speed} times what is flushed meanwhile.
     *
     * @return the most runs there were at once
     */
    int playSlowly(int warmUp, int flushes, double speed, boolean beside) {
        SlowMerge main = new SlowMerge();
        SlowMerge newer = new SlowMerge();
        int maxRuns = 0;
        for (int i = 0; i < warmUp + flushes; i++) {
            long before = flushedBytes;
            flush(i);
            main.age(1);
            newer.age(1);
            maxRuns = i < warmUp ? 0 : Math.max(maxRuns, runs.size());
            double credit = speed * (flushedBytes - before);
            main.work(credit, this::plan, newer);
            if (beside) {
                newer.work(credit, () -> planBeside(main), main);
            }
        }
        return maxRuns;
    }

    private Optional<CompactionPlan> planBeside(SlowMerge main) {
        return main.plan == null
                ? Optional.empty()
                : policy.planBeside(sizes(), main.plan.newestIndex());
    }

    private Optional<CompactionPlan> plan() {
        return policy.plan(sizes());
    }

    private List<RunSize> sizes() {
        return runs.stream().map(SimulatedRun::size).toList();
    }

    private void flush(int number) {
        SimulatedRun flush = workload.flush(number, random);
        flushedBytes += flush.bytes();
        writtenBytes += flush.bytes();
        add(flush);
    }

    private void add(SimulatedRun run) {
        runs.add(0, run);
        runBytes += run.bytes();
        for (int i = 0; i < run.keys().length; i++) {
            int key = run.keys()[i];
            int before = liveSizes[key];
            int size = Math.max(0, run.sizes()[i]);
            liveSizes[key] = workload.appends() ? before + size : size;
            liveBytes += liveSizes[key] - before;
        }
    }

    private SimulatedRun merged(CompactionPlan plan) {
        List<SimulatedRun> inputs = runs.subList(plan.newestIndex(), plan.oldestIndex() + 1);
        boolean bottom = plan.oldestIndex() == runs.size() - 1;
        return SimulatedRun.merge(inputs, bottom, workload.appends());
    }

    private void install(CompactionPlan plan, SimulatedRun merged) {
        List<SimulatedRun> inputs = runs.subList(plan.newestIndex(), plan.oldestIndex() + 1);
        runBytes -= inputs.stream().mapToLong(SimulatedRun::bytes).sum();
        inputs.clear();
        if (merged.keys().length > 0) {
            runs.add(plan.newestIndex(), merged);
        }
        runBytes += merged.bytes();
        writtenBytes += merged.bytes();
    }

    /** A merge that takes its time. */
    private final class SlowMerge {

        private CompactionPlan plan;
        private SimulatedRun output;
        private double remainingBytes;

        void age(int newRuns) {
            if (plan != null) {
                plan =
                        new CompactionPlan(
                                plan.newestIndex() + newRuns, plan.oldestIndex() + newRuns);
            }
        }

        void work(double creditBytes, Supplier<Optional<CompactionPlan>> planner, SlowMerge other) {
            double credit = creditBytes;
            while (credit > 0) {
                if (plan == null) {
                    Optional<CompactionPlan> next = planner.get();
                    if (next.isEmpty() || other.overlaps(next.get())) {
                        return;
                    }
                    plan = next.get();
                    output = merged(plan);
                    remainingBytes = output.bytes();
                }
                double step = Math.min(credit, remainingBytes);
                credit -= step;
                remainingBytes -= step;
                if (remainingBytes <= 0) {
                    finish(other);
                }
            }
        }

        private void finish(SlowMerge other) {
            int before = runs.size();
            install(plan, output);
            if (other.plan != null && other.plan.newestIndex() > plan.newestIndex()) {
                other.age(runs.size() - before);
            }
            plan = null;
        }

        private boolean overlaps(CompactionPlan next) {
            return plan != null
                    && plan.newestIndex() <= next.oldestIndex()
                    && next.newestIndex() <= plan.oldestIndex();
        }
    }
}
