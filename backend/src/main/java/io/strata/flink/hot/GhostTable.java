/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/**
 * Remembers of nodes evicted lately that they were here: four bytes each, one for each node that is
 * here now, or for every second one. Direct-mapped, so that a newer fingerprint takes the place of
 * an older one, and what it says may be wrong once in a while. Task thread only.
 */
final class GhostTable {

    private static final int MIN_CAPACITY = 64;
    private static final int MAX_CAPACITY = 1 << 28;
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private final ByteLedger ledger;

    /** A fingerprint stands at the index that its top bits give; 0 is none. Null at first. */
    private int[] fingerprints;

    /** A table that takes no memory before {@link #fit}. */
    GhostTable(ByteLedger ledger) {
        this.ledger = ledger;
    }

    /** Remembers the node of this place. */
    void add(long place) {
        int fingerprint = fingerprint(place);
        fingerprints[index(fingerprints, fingerprint)] = fingerprint;
    }

    /** Whether the node of this place is remembered. */
    boolean contains(long place) {
        if (fingerprints == null) {
            return false;
        }
        int fingerprint = fingerprint(place);
        return fingerprints[index(fingerprints, fingerprint)] == fingerprint;
    }

    /** Whether the node of this place is remembered; it is forgotten by that. */
    boolean remove(long place) {
        boolean remembered = contains(place);
        if (remembered) {
            fingerprints[index(fingerprints, fingerprint(place))] = 0;
        }
        return remembered;
    }

    /** Makes room for the fingerprints that a table of so many nodes needs. */
    void fit(long nodes) {
        int capacity = fingerprints == null ? 0 : fingerprints.length;
        if (capacity == 0
                || (nodes > 2L * capacity && capacity < MAX_CAPACITY)
                || (nodes < capacity >>> 3 && capacity > MIN_CAPACITY)) {
            resize(capacity(nodes));
        }
    }

    long bytes() {
        return fingerprints == null ? 0 : bytes(fingerprints.length);
    }

    private void resize(int capacity) {
        int[] resized = new int[capacity];
        ledger.structure(bytes(capacity) - bytes());
        if (fingerprints != null) {
            for (int fingerprint : fingerprints) {
                if (fingerprint != 0) {
                    resized[index(resized, fingerprint)] = fingerprint;
                }
            }
        }
        fingerprints = resized;
    }

    private static int capacity(long nodes) {
        return (int) Long.highestOneBit(Math.max(MIN_CAPACITY, Math.min(MAX_CAPACITY, nodes)));
    }

    private static int fingerprint(long place) {
        long mixed = place * FACTOR;
        int fingerprint = (int) (((mixed ^ (mixed >>> 32)) * FACTOR) >>> 32);
        return fingerprint == 0 ? 1 : fingerprint;
    }

    private static int index(int[] array, int fingerprint) {
        return fingerprint >>> Integer.numberOfLeadingZeros(array.length - 1);
    }

    private static long bytes(int capacity) {
        return HeapLayout.CURRENT.arrayBytes(capacity, Integer.BYTES);
    }
}
