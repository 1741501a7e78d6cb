/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

/**
 * Key groups from {@code first} to {@code last}, both included.
 *
 * @param first the lowest key group, from 0
 * @param last the highest key group, not below {@code first}, at most 32767
 */
public record KeyGroupSpan(int first, int last) {

    /** The highest key group Flink can have. */
    public static final int MAX_KEY_GROUP = (1 << 15) - 1;

    /** Every key group there can be. */
    public static final KeyGroupSpan ALL = new KeyGroupSpan(0, MAX_KEY_GROUP);

    public KeyGroupSpan {
        if (first < 0 || last < first || last > MAX_KEY_GROUP) {
            throw new IllegalArgumentException(
                    "key groups " + first + ".." + last + " are not within 0.." + MAX_KEY_GROUP);
        }
    }

    /** Returns true when the key group is one of these. */
    public boolean contains(int keyGroup) {
        return keyGroup >= first && keyGroup <= last;
    }

    /** Returns true when all key groups of {@code other} are among these. */
    public boolean containsAll(KeyGroupSpan other) {
        return other.first >= first && other.last <= last;
    }

    /** Returns true when the spans share a key group. */
    public boolean intersects(KeyGroupSpan other) {
        return first <= other.last && other.first <= last;
    }

    /** Returns the key groups in both spans, or null when they share none. */
    public KeyGroupSpan intersection(KeyGroupSpan other) {
        return intersects(other)
                ? new KeyGroupSpan(Math.max(first, other.first), Math.min(last, other.last))
                : null;
    }

    /** Returns the number of key groups. */
    public int size() {
        return last - first + 1;
    }

    @Override
    public String toString() {
        return first + ".." + last;
    }
}
