/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import io.strata.flink.compaction.CompactionSimulation.Result;
import io.strata.flink.format.segment.KeyGroupSpan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Plays flushes and merges of one state with a time to live, without I/O: a flush every second, and
 * what {@link CompactionSimulation} measures, at the same worst moments.
 */
final class TtlCompactionSimulation {

    /** Milliseconds between two flushes. */
    private static final long STEP = 1_000;

    private static final int PUT_BYTES = SimulatedWorkload.PUT_BYTES;
    private static final int DELETE_BYTES = SimulatedWorkload.DELETE_BYTES;

    /** The keys that a flush writes. */
    interface Writes {
        int[] keys(int flush, Random random);
    }

    /**
     * A run.
     *
     * @param keys ascending
     * @param flushes parallel: the number of the flush that wrote the record, -1 for a tombstone
     */
    private record TimedRun(int[] keys, int[] flushes, RunSize size) {

        static TimedRun of(int[] keys, int[] flushes) {
            long tombstones = 0;
            long min = Expiry.NO_TTL;
            long max = Long.MIN_VALUE;
            for (int flush : flushes) {
                if (flush < 0) {
                    tombstones++;
                } else {
                    min = Math.min(min, flush * STEP);
                    max = Math.max(max, flush * STEP);
                }
            }
            long bytes = (flushes.length - tombstones) * PUT_BYTES + tombstones * DELETE_BYTES;
            return new TimedRun(
                    keys,
                    flushes,
                    new RunSize(
                            keys.length,
                            tombstones,
                            bytes,
                            KeyGroupSpan.ALL,
                            min,
                            max == Long.MIN_VALUE ? Expiry.NO_TTL : max));
        }
    }

    private final TtlCompactionPolicy policy = new TtlCompactionPolicy();
    private final TestExpiry expiry;
    private final int lifetime;
    private final Writes writes;
    private final Random random;
    private final List<TimedRun> runs = new ArrayList<>();

    /** By key: the flush that wrote it last. */
    private final int[] written;

    /** By flush: how many keys it wrote last. */
    private final int[] lastWrites;

    private final int[] seen;
    private int look;
    private long live;
    private long runBytes;
    private long flushedBytes;
    private long writtenBytes;

    /**
     * @param lifetime the time to live in flushes
     * @param flushes how many there will be at most
     */
    TtlCompactionSimulation(int lifetime, int keyBound, int flushes, Writes writes, long seed) {
        this.lifetime = lifetime;
        this.writes = writes;
        this.random = new Random(seed);
        this.expiry = new TestExpiry(false, lifetime * STEP);
        this.written = new int[keyBound];
        Arrays.fill(written, -1);
        this.lastWrites = new int[flushes];
        this.seen = new int[keyBound];
    }

    /** Plays {@code warmUp} flushes and then, up to {@code flushes}, measured ones. */
    Result play(int warmUp, int flushes) {
        int maxRuns = 0;
        long sumRuns = 0;
        double space = 0;
        for (int i = 0; i < flushes; i++) {
            if (i == warmUp) {
                flushedBytes = 0;
                writtenBytes = 0;
            }
            flush(i);
            dropExpired();
            if (i >= warmUp) {
                maxRuns = Math.max(maxRuns, runs.size());
                sumRuns += runs.size();
                space = Math.max(space, runBytes / (double) (live * PUT_BYTES));
            }
            for (Optional<CompactionPlan> plan = plan(); plan.isPresent(); plan = plan()) {
                merge(plan.get());
                dropExpired();
            }
        }
        return new Result(
                maxRuns,
                (double) sumRuns / (flushes - warmUp),
                (double) writtenBytes / flushedBytes,
                space);
    }

    private void flush(int number) {
        expiry.time = number * STEP;
        if (number >= lifetime) {
            live -= lastWrites[number - lifetime];
        }
        int[] keys = Arrays.stream(writes.keys(number, random)).sorted().distinct().toArray();
        for (int key : keys) {
            int before = written[key];
            if (before > number - lifetime && before >= 0) {
                lastWrites[before]--;
                live--;
            }
            written[key] = number;
        }
        lastWrites[number] = keys.length;
        live += keys.length;
        int[] flushes = new int[keys.length];
        Arrays.fill(flushes, number);
        TimedRun run = TimedRun.of(keys, flushes);
        runs.add(0, run);
        runBytes += run.size().bytes();
        flushedBytes += run.size().bytes();
        writtenBytes += run.size().bytes();
    }

    private void dropExpired() {
        for (int i = runs.size() - 1; i >= 0; i--) {
            RunSize size = runs.get(i).size();
            if (!size.onlyTombstones() && !expiry.isExpired(size.maxTtl())) {
                return;
            }
            runBytes -= size.bytes();
            runs.remove(i);
        }
    }

    private Optional<CompactionPlan> plan() {
        return policy.plan(runs.stream().map(TimedRun::size).toList(), superseded(), expiry);
    }

    private double[] superseded() {
        double[] parts = new double[runs.size()];
        look++;
        for (int i = 0; i < parts.length; i++) {
            int count = 0;
            for (int key : runs.get(i).keys()) {
                count += seen[key] == look ? 1 : 0;
                seen[key] = look;
            }
            parts[i] = (double) count / Math.max(1, runs.get(i).keys().length);
        }
        return parts;
    }

    private void merge(CompactionPlan plan) {
        List<TimedRun> inputs = runs.subList(plan.newestIndex(), plan.oldestIndex() + 1);
        boolean bottom = plan.oldestIndex() == runs.size() - 1;
        TimedRun merged = inputs.get(0);
        for (TimedRun older : inputs.subList(1, inputs.size())) {
            merged = mergeTwo(merged, older);
        }
        merged = withoutExpired(merged, bottom);
        runBytes += merged.size().bytes();
        inputs.forEach(input -> runBytes -= input.size().bytes());
        writtenBytes += merged.size().bytes();
        inputs.clear();
        if (merged.keys().length > 0) {
            runs.add(plan.newestIndex(), merged);
        }
    }

    private static TimedRun mergeTwo(TimedRun newer, TimedRun older) {
        int[] keys = new int[newer.keys.length + older.keys.length];
        int[] flushes = new int[keys.length];
        int n = 0;
        int o = 0;
        int count = 0;
        while (n < newer.keys.length || o < older.keys.length) {
            int newKey = n < newer.keys.length ? newer.keys[n] : Integer.MAX_VALUE;
            int oldKey = o < older.keys.length ? older.keys[o] : Integer.MAX_VALUE;
            keys[count] = Math.min(newKey, oldKey);
            flushes[count++] = newKey <= oldKey ? newer.flushes[n] : older.flushes[o];
            n += newKey <= oldKey ? 1 : 0;
            o += oldKey <= newKey ? 1 : 0;
        }
        return TimedRun.of(Arrays.copyOf(keys, count), Arrays.copyOf(flushes, count));
    }

    private TimedRun withoutExpired(TimedRun run, boolean bottom) {
        int[] keys = new int[run.keys.length];
        int[] flushes = new int[keys.length];
        int count = 0;
        for (int i = 0; i < keys.length; i++) {
            boolean gone = run.flushes[i] < 0 || expiry.isExpired(run.flushes[i] * STEP);
            if (!gone || !bottom) {
                keys[count] = run.keys[i];
                flushes[count++] = gone ? -1 : run.flushes[i];
            }
        }
        return TimedRun.of(Arrays.copyOf(keys, count), Arrays.copyOf(flushes, count));
    }
}
