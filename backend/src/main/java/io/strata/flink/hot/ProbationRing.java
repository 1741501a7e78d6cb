/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.util.function.LongConsumer;

/**
 * The places of nodes on probation, oldest first. Places and not references: a node that left its
 * table is not kept alive, and one that was replaced is found in its new form. Task thread only.
 */
final class ProbationRing {

    private static final int MIN_CAPACITY = 16;

    private final ByteLedger ledger;

    /** A power of two long; null at first. */
    private long[] places;

    private int first;
    private int size;

    /** A ring that takes no memory before something is added. */
    ProbationRing(ByteLedger ledger) {
        this.ledger = ledger;
    }

    int size() {
        return size;
    }

    void add(long place) {
        if (places == null || size == places.length) {
            resize(Math.max(MIN_CAPACITY, 2 * size));
        }
        places[(first + size++) & (places.length - 1)] = place;
    }

    /** Takes the oldest place out of a ring that is not empty. */
    long poll() {
        long place = places[first];
        first = (first + 1) & (places.length - 1);
        size--;
        return place;
    }

    /** Gives memory back that has not been of use lately. */
    void fit() {
        if (places != null && size < places.length >>> 3 && places.length > MIN_CAPACITY) {
            resize(places.length >>> 2);
        }
    }

    long bytes() {
        return places == null ? 0 : bytes(places.length);
    }

    void forEach(LongConsumer action) {
        for (int i = 0; i < size; i++) {
            action.accept(places[(first + i) & (places.length - 1)]);
        }
    }

    private void resize(int wantedCapacity) {
        int capacity = Math.max(MIN_CAPACITY, wantedCapacity);
        long[] resized = new long[capacity];
        ledger.structure(bytes(capacity) - bytes());
        for (int i = 0; i < size; i++) {
            resized[i] = places[(first + i) & (places.length - 1)];
        }
        places = resized;
        first = 0;
    }

    private static long bytes(int capacity) {
        return HeapLayout.CURRENT.arrayBytes(capacity, Long.BYTES);
    }
}
