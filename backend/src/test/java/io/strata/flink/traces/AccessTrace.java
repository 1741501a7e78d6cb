/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.traces;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * What a job asks of one state, step by step, made from a seed.
 *
 * @param name what it is like
 * @param capacity the entries that fit the heap
 * @param steps key and {@link Step} of each access
 */
public record AccessTrace(String name, int capacity, long[] steps) {

    /** What is done with a key. All but {@link #CREATE} are for keys that exist. */
    public enum Step {
        /** Read, and never changed before it is read again. */
        GET,
        /** Read and written. */
        UPDATE,
        /** Written for the first time; known to be absent. */
        CREATE,
        /** Deleted. */
        CLEAR;

        private static final Step[] ALL = values();

        /** Returns what a step does. */
        public static Step of(long step) {
            return ALL[(int) (step & 3)];
        }
    }

    private static final long SEED = 20260101;
    private static final int KEYS_A_WINDOW = 4000;

    /** Returns the key of a step. */
    public static long key(long step) {
        return step >> 2;
    }

    /** The window of a key, in the traces of windows; they end in the order of their numbers. */
    public static long window(long key) {
        return key / KEYS_A_WINDOW;
    }

    public static AccessTrace uniform() {
        SplittableRandom random = new SplittableRandom(SEED);
        Recorder out = new Recorder();
        for (int i = 0; i < 150_000; i++) {
            out.add(Step.GET, random.nextInt(20_000));
        }
        return out.trace("uniform", 4000);
    }

    public static AccessTrace zipf(double exponent, Step step) {
        SplittableRandom random = new SplittableRandom(SEED);
        Zipf zipf = new Zipf(100_000, exponent);
        Recorder out = new Recorder();
        for (int i = 0; i < 200_000; i++) {
            out.add(step, zipf.next(random));
        }
        return out.trace("zipf " + exponent + (step == Step.GET ? "" : " updated"), 4000);
    }

    /** Two of three accesses go to a hot set; the others read once what is never read again. */
    public static AccessTrace scanOverHotSet() {
        SplittableRandom random = new SplittableRandom(SEED);
        Zipf zipf = new Zipf(20_000, 0.9);
        Recorder out = new Recorder();
        for (int i = 0; i < 150_000; i++) {
            out.add(Step.GET, i % 3 == 0 ? 1_000_000 + i : zipf.next(random));
        }
        return out.trace("scan over a hot set", 4000);
    }

    /** Nine of ten accesses go to a hot set that fits, and that moves on by and by. */
    public static AccessTrace shiftingHotSet() {
        SplittableRandom random = new SplittableRandom(SEED);
        Zipf zipf = new Zipf(3000, 0.6);
        Recorder out = new Recorder();
        for (int i = 0; i < 200_000; i++) {
            boolean hot = random.nextInt(10) != 0;
            int shift = i / 20_000 * 1500;
            out.add(Step.GET, hot ? shift + zipf.next(random) : random.nextInt(200_000));
        }
        return out.trace("shifting hot set", 3000);
    }

    /**
     * Each event updates one of the two windows of its key that are open; a window that is over is
     * read and cleared, key by key.
     */
    public static AccessTrace windows() {
        int keys = KEYS_A_WINDOW;
        SplittableRandom random = new SplittableRandom(SEED);
        Zipf zipf = new Zipf(keys, 0.7);
        Recorder out = new Recorder();
        boolean[][] open = new boolean[2][keys];
        for (int window = 0; window < 10; window++) {
            for (int event = 0; event < 15_000; event++) {
                int key = zipf.next(random);
                int of = window + (random.nextInt(4) == 0 ? 1 : 0);
                out.add(open[of & 1][key] ? Step.UPDATE : Step.CREATE, (long) of * keys + key);
                open[of & 1][key] = true;
            }
            for (int key = 0; key < keys; key++) {
                if (open[window & 1][key]) {
                    out.add(Step.GET, (long) window * keys + key);
                    out.add(Step.CLEAR, (long) window * keys + key);
                }
            }
            Arrays.fill(open[window & 1], false);
        }
        return out.trace("windows", 3000);
    }

    /**
     * Buffers for windows: half of the events belong to the window that ends next, the others to
     * one of the eight after it. What is written is read when its window ends, and not before.
     */
    public static AccessTrace buffersNearAndFar() {
        SplittableRandom random = new SplittableRandom(SEED);
        Recorder out = new Recorder();
        int windows = 40;
        boolean[][] buffered = new boolean[windows + 9][KEYS_A_WINDOW];
        for (int window = 0; window < windows; window++) {
            for (int event = 0; event < 4000; event++) {
                int of = window + (random.nextBoolean() ? 0 : 1 + random.nextInt(8));
                int key = random.nextInt(KEYS_A_WINDOW);
                if (!buffered[of][key]) {
                    buffered[of][key] = true;
                    out.add(Step.CREATE, (long) of * KEYS_A_WINDOW + key);
                }
            }
            for (int key = 0; key < KEYS_A_WINDOW; key++) {
                if (buffered[window][key]) {
                    out.add(Step.GET, (long) window * KEYS_A_WINDOW + key);
                    out.add(Step.CLEAR, (long) window * KEYS_A_WINDOW + key);
                }
            }
        }
        return out.trace("buffers, near and far", 4000);
    }

    /**
     * Short bursts of updates of a few keys at a time; every key is read and cleared long after.
     */
    public static AccessTrace sessions() {
        int active = 200;
        int silent = 6000;
        SplittableRandom random = new SplittableRandom(SEED);
        Recorder out = new Recorder();
        long[] keys = new long[active];
        int[] left = new int[active];
        long next = 0;
        long closed = 0;
        while (out.size < 200_000) {
            int one = random.nextInt(active);
            if (left[one] == 0) {
                keys[one] = next++;
                left[one] = 5 + random.nextInt(20);
                out.add(Step.CREATE, keys[one]);
                if (next - closed > silent) {
                    out.add(Step.GET, closed);
                    out.add(Step.CLEAR, closed++);
                }
            } else {
                left[one]--;
                out.add(Step.UPDATE, keys[one]);
            }
        }
        return out.trace("session bursts", 2000);
    }

    private static final class Recorder {

        private long[] steps = new long[1 << 16];
        private int size;

        void add(Step step, long key) {
            if (size == steps.length) {
                steps = Arrays.copyOf(steps, 2 * size);
            }
            steps[size++] = key << 2 | step.ordinal();
        }

        AccessTrace trace(String name, int capacity) {
            return new AccessTrace(name, capacity, Arrays.copyOf(steps, size));
        }
    }

    /**
     * Numbers of which each is asked for in proportion to its rank, to the power of an exponent.
     */
    private static final class Zipf {

        private final double[] upTo;

        Zipf(int numbers, double exponent) {
            upTo = new double[numbers];
            double sum = 0;
            for (int rank = 0; rank < numbers; rank++) {
                sum += Math.pow(rank + 1, -exponent);
                upTo[rank] = sum;
            }
        }

        int next(SplittableRandom random) {
            int found = Arrays.binarySearch(upTo, random.nextDouble() * upTo[upTo.length - 1]);
            return found < 0 ? -found - 1 : found;
        }
    }
}
