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
 * and the flush thread may read them. The task thread still writes {@link #REFERENCED} and the
 * chain link then; both share no bit with what the flush reads, and an {@code int} is written
 * whole.
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

    /** Found since the CLOCK hand passed. */
    static final int REFERENCED = 1 << 4;

    private static final int COARSE = 1 << 5;
    private static final int FLAGS = (1 << 6) - 1;
    private static final int SIZE_SHIFT = 6;
    private static final int FINE_UNIT_SHIFT = 3;
    private static final int COARSE_UNIT_SHIFT = 12;
    private static final int MAX_UNITS = -1 >>> SIZE_SHIFT;

    Object value;
    int epoch;

    /** Flags in the low 6 bits; above them the size, in units of 8 or of 4096 bytes. */
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
     * The size given by the owner of the value, rounded up to 8 bytes (beyond 512 MiB to 4 KiB);
     * what the table itself spends is not in it.
     */
    public final long sizeBytes() {
        return unpackSize(bits);
    }

    final boolean has(int flag) {
        return (bits & flag) != 0;
    }

    final void setReferenced() {
        if ((bits & REFERENCED) == 0) {
            bits |= REFERENCED;
        }
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
