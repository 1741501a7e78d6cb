/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import java.io.Serializable;

/**
 * Which numbers the source emits and what they mean: first every change of every key, in a
 * scattered order, then one check of every key. So how often each key was changed is known in
 * advance.
 *
 * <p>A skewed plan makes three of four changes to one percent of the keys.
 *
 * @param keys number of keys, a multiple of {@link #HOT_PART}
 * @param rounds how often each key is changed, not counting what skew adds
 */
record MemoryPlan(long keys, int rounds, boolean skewed) implements Serializable {

    static final int HOT_PART = 100;

    private static final int HOT_CHANGES = 3;
    private static final long PRIME = 2_654_435_761L;

    MemoryPlan {
        if (keys <= 0 || keys % HOT_PART != 0 || keys >= PRIME || rounds <= 0) {
            throw new IllegalArgumentException(keys + " keys, " + rounds + " rounds");
        }
    }

    /** Returns the number of changes altogether. */
    long changes() {
        return keys * rounds * (skewed ? HOT_CHANGES + 1 : 1);
    }

    /** Returns how many numbers there are. */
    long numbers() {
        return changes() + keys;
    }

    boolean isCheck(long number) {
        return number >= changes();
    }

    /** Returns the key that a number is about. */
    long key(long number) {
        if (isCheck(number)) {
            return number - changes();
        }
        if (!skewed) {
            return scattered(number);
        }
        long group = number / (HOT_CHANGES + 1);
        long within = number % (HOT_CHANGES + 1);
        if (within == 0) {
            return scattered(group);
        }
        return (group * HOT_CHANGES + within - 1) % hotKeys() * HOT_PART;
    }

    /** Returns how often a key is changed altogether. */
    long changesOf(long key) {
        boolean hot = skewed && key % HOT_PART == 0;
        return rounds + (hot ? HOT_CHANGES * keys * rounds / hotKeys() : 0);
    }

    private long scattered(long index) {
        return index % keys * PRIME % keys;
    }

    private long hotKeys() {
        return keys / HOT_PART;
    }
}
