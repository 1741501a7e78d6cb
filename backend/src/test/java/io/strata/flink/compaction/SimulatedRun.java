/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import java.util.Arrays;
import java.util.List;

/** A run without bytes: sorted keys, and for each how large its record would be. */
final class SimulatedRun {

    private final int[] keys;
    private final int[] sizes;
    private final RunSize size;

    /**
     * Creates a run.
     *
     * @param keys ascending
     * @param sizes parallel: bytes of a PUT or APPEND, negative for a DELETE
     */
    SimulatedRun(int[] keys, int[] sizes) {
        this.keys = keys;
        this.sizes = sizes;
        long bytes = 0;
        long tombstones = 0;
        for (int recordBytes : sizes) {
            bytes += Math.abs(recordBytes);
            tombstones += recordBytes < 0 ? 1 : 0;
        }
        this.size = new RunSize(keys.length, tombstones, bytes);
    }

    int[] keys() {
        return keys;
    }

    int[] sizes() {
        return sizes;
    }

    long bytes() {
        return size.bytes();
    }

    RunSize size() {
        return size;
    }

    /** Merges neighbours as the real merge does. */
    static SimulatedRun merge(List<SimulatedRun> newestFirst, boolean bottom, boolean append) {
        SimulatedRun merged = newestFirst.get(0);
        for (SimulatedRun older : newestFirst.subList(1, newestFirst.size())) {
            merged = mergeTwo(merged, older, append);
        }
        return bottom ? merged.withoutTombstones() : merged;
    }

    private static SimulatedRun mergeTwo(SimulatedRun newer, SimulatedRun older, boolean append) {
        int[] keys = new int[newer.keys.length + older.keys.length];
        int[] sizes = new int[keys.length];
        int n = 0;
        int o = 0;
        int count = 0;
        while (n < newer.keys.length || o < older.keys.length) {
            int newKey = n < newer.keys.length ? newer.keys[n] : Integer.MAX_VALUE;
            int oldKey = o < older.keys.length ? older.keys[o] : Integer.MAX_VALUE;
            keys[count] = Math.min(newKey, oldKey);
            int size = 0;
            if (oldKey <= newKey) {
                size = older.sizes[o++];
            }
            if (newKey <= oldKey) {
                size = append ? size + newer.sizes[n] : newer.sizes[n];
                n++;
            }
            sizes[count++] = size;
        }
        return new SimulatedRun(Arrays.copyOf(keys, count), Arrays.copyOf(sizes, count));
    }

    private SimulatedRun withoutTombstones() {
        int[] liveKeys = new int[keys.length];
        int[] liveSizes = new int[keys.length];
        int count = 0;
        for (int i = 0; i < keys.length; i++) {
            if (sizes[i] > 0) {
                liveKeys[count] = keys[i];
                liveSizes[count++] = sizes[i];
            }
        }
        return new SimulatedRun(Arrays.copyOf(liveKeys, count), Arrays.copyOf(liveSizes, count));
    }
}
