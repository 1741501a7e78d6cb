/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * The heap bytes of one hot table, kept so that installing a flush settles them without visiting an
 * entry. Task thread only; every change is also added to the store's {@link HotBytes}.
 *
 * <pre>
 *   bytes      = resident + structure + sum over sealed epochs (detached + list)
 *   dirtyBytes = current  + sum over sealed epochs (frozen + thawed)
 *   evictable  = resident - current - sum over sealed epochs (frozen - detached + thawed)
 * </pre>
 */
final class ByteLedger {

    /**
     * What an epoch in flight holds. Bytes, and the tombstones among its frozen nodes in the table.
     */
    private static final class Sealed {
        final int epoch;

        /** Of all nodes handed to the flush, in the table or detached from it. */
        long frozen;

        /** Of those among them that only the flush still holds. */
        long detached;

        /** Of the private copies that stand in the table for frozen nodes. */
        long thawed;

        /** Of the dirty list. */
        final long list;

        int tombstones;

        Sealed(int epoch, long frozen, long list, int tombstones) {
            this.epoch = epoch;
            this.frozen = frozen;
            this.list = list;
            this.tombstones = tombstones;
        }
    }

    private final HotBytes total;
    private final ArrayDeque<Sealed> inFlight = new ArrayDeque<>();
    private long resident;
    private long structure;
    private long current;
    private long dirty;
    private long bytes;
    private int currentTombstones;
    private int cleanTombstones;

    ByteLedger(HotBytes total) {
        this.total = total;
    }

    long bytes() {
        return bytes;
    }

    long dirtyBytes() {
        return dirty;
    }

    long residentBytes() {
        return resident;
    }

    long structureBytes() {
        return structure;
    }

    long currentBytes() {
        return current;
    }

    /** What only flushes still hold. */
    long inFlightBytes() {
        long sum = 0;
        for (Sealed sealed : inFlight) {
            sum += sealed.detached + sealed.list;
        }
        return sum;
    }

    int cleanTombstones() {
        return cleanTombstones;
    }

    long evictableBytes() {
        long evictable = resident - dirty;
        for (Sealed sealed : inFlight) {
            evictable += sealed.detached;
        }
        return evictable;
    }

    /** Nodes in the table grew by {@code delta}. */
    void resident(long delta) {
        resident += delta;
        addBytes(delta);
    }

    /** Arrays and the like grew by {@code delta}. */
    void structure(long delta) {
        structure += delta;
        addBytes(delta);
    }

    /** Nodes of the current epoch grew by {@code delta}. */
    void current(long delta) {
        current += delta;
        addDirty(delta);
    }

    /** Private copies of nodes of an epoch in flight grew by {@code delta}. */
    void thawed(int epoch, long delta) {
        sealed(epoch).thawed += delta;
        addDirty(delta);
    }

    /**
     * A frozen node left the table: only its flush holds it from here on.
     *
     * @param sharedBytes the part of it that its successor in the table uses and accounts for
     */
    void detached(int epoch, long nodeBytes, long sharedBytes) {
        Sealed sealed = sealed(epoch);
        sealed.frozen -= sharedBytes;
        sealed.detached += nodeBytes - sharedBytes;
        resident -= nodeBytes;
        addBytes(-sharedBytes);
        addDirty(-sharedBytes);
    }

    /** A tombstone of this epoch came into the table (1) or left it (-1). */
    void tombstone(int epoch, int delta, EpochClock clock) {
        if (epoch == clock.current) {
            currentTombstones += delta;
        } else if (epoch <= clock.flushed) {
            cleanTombstones += delta;
        } else {
            sealed(epoch).tombstones += delta;
        }
    }

    /** The current epoch ended; {@code list} bytes of structure went to the flush with it. */
    void seal(int epoch, long list, boolean anything) {
        structure -= list;
        if (anything) {
            inFlight.addLast(new Sealed(epoch, current, list, currentTombstones));
        } else {
            addBytes(-list);
        }
        current = 0;
        currentTombstones = 0;
    }

    void installed(int epoch) {
        while (!inFlight.isEmpty() && inFlight.peekFirst().epoch <= epoch) {
            Sealed sealed = inFlight.removeFirst();
            addBytes(-sealed.detached - sealed.list);
            addDirty(-sealed.frozen - sealed.thawed);
            cleanTombstones += sealed.tombstones;
        }
    }

    private Sealed sealed(int epoch) {
        for (Iterator<Sealed> newestFirst = inFlight.descendingIterator();
                newestFirst.hasNext(); ) {
            Sealed sealed = newestFirst.next();
            if (sealed.epoch == epoch) {
                return sealed;
            }
        }
        throw new IllegalStateException("Epoch " + epoch + " is not in flight");
    }

    private void addBytes(long delta) {
        bytes += delta;
        total.add(delta);
    }

    private void addDirty(long delta) {
        dirty += delta;
        total.addDirty(delta);
    }
}
