/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/**
 * What a {@link HotEntry} and a {@link HotSlot} have in common: a live value, the epoch of its last
 * change, flags and a size. 40 bytes an object with compressed references.
 *
 * <p>Once frozen, value, epoch, size, {@link #TOMBSTONE} and {@link #VANISHED} never change (I7)
 * and the flush thread may read them. The task thread still writes {@link #HITS}, {@link
 * #PROBATION} and the chain link then; they share no bit with what the flush reads, and an {@code
 * int} is written whole.
 */
abstract class HotNode extends ChainNode {

    /** The key does not exist. */
    static final int TOMBSTONE = 1;

    /** Created in its epoch over nothing: a delete in the same epoch needs no tombstone. */
    static final int ABSENT_BELOW = 1 << 1;

    /** A private copy of a frozen node that may still be in flight: needs no further copy. */
    static final int THAWED = 1 << 2;

    /** Created and deleted in the same epoch: its dirty list skips it. */
    static final int VANISHED = 1 << 3;

    /** Not proven to be of use yet: its place is in the ring of its {@link Evictor}. */
    static final int PROBATION = 1 << 4;

    /** How often it was found lately: counts up to this and is counted down by the hand. */
    static final int MAX_HITS = 3;

    private static final int HIT_SHIFT = 5;
    private static final int ONE_HIT = 1 << HIT_SHIFT;

    /** The bits of the counter of hits. */
    static final int HITS = MAX_HITS << HIT_SHIFT;

    private static final int COARSE = 1 << 7;
    private static final int FLAGS = (1 << 8) - 1;
    private static final int SIZE_SHIFT = 8;
    private static final int FINE_UNIT_SHIFT = 3;
    private static final int COARSE_UNIT_SHIFT = 12;
    private static final int MAX_UNITS = -1 >>> SIZE_SHIFT;

    Object value;
    int epoch;

    /** Flags in the low 8 bits; above them the size, in units of 8 or of 4096 bytes. */
    int bits;

    HotNode(int hash) {
        super(hash);
    }

    /** The live value; null for a tombstone, and also when null itself is stored. */
    public final Object value() {
        return value;
    }

    /** The epoch of the last change; 0 when it was loaded and never changed since. */
    public final int epoch() {
        return epoch;
    }

    /**
     * Whether this has left its table, evicted or replaced: a handle to it is of no use any more.
     */
    public final boolean isStale() {
        return isDetached();
    }

    /** Whether this says that the key does not exist. */
    public final boolean isTombstone() {
        return (bits & TOMBSTONE) != 0;
    }

    /**
     * The size given by the owner of the value, rounded up to 8 bytes (beyond 128 MiB to 4 KiB);
     * what the table itself spends is not in it.
     */
    public final long sizeBytes() {
        return unpackSize(bits);
    }

    final boolean has(int flag) {
        return (bits & flag) != 0;
    }

    final int hits() {
        return (bits & HITS) >>> HIT_SHIFT;
    }

    final void countHit() {
        if ((bits & HITS) != HITS) {
            bits += ONE_HIT;
        }
    }

    /** Takes back one of the hits, of which there must be one. */
    final void forgetHit() {
        bits -= ONE_HIT;
    }

    final void setSize(int packedSize) {
        bits = (bits & FLAGS & ~COARSE) | packedSize;
    }

    /** The bits that hold {@code sizeBytes}. */
    static int packSize(long sizeBytes) {
        if (sizeBytes < 0) {
            throw new IllegalArgumentException("Negative size: " + sizeBytes);
        }
        long units = (sizeBytes + (1 << FINE_UNIT_SHIFT) - 1) >>> FINE_UNIT_SHIFT;
        if (units <= MAX_UNITS) {
            return (int) units << SIZE_SHIFT;
        }
        units = (sizeBytes + (1 << COARSE_UNIT_SHIFT) - 1) >>> COARSE_UNIT_SHIFT;
        return ((int) Math.min(units, MAX_UNITS) << SIZE_SHIFT) | COARSE;
    }

    /** The bits of {@code bits} that hold the size. */
    static int sizeBits(int bits) {
        return bits & (~FLAGS | COARSE);
    }

    static long unpackSize(int bits) {
        int units = bits >>> SIZE_SHIFT;
        return (long) units << ((bits & COARSE) == 0 ? FINE_UNIT_SHIFT : COARSE_UNIT_SHIFT);
    }
}
