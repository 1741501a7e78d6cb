/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/**
 * The share that one backend has in the {@link HeapBudget} of its process. The budget changes it
 * with the number of leases and with what their owners report.
 */
public final class HeapLease implements AutoCloseable {

    /** Who uses less than seven eighths of its share does not miss for lack of memory. */
    private static final int FULL_PARTS = 8;

    private final HeapBudget budget;
    private final long allowedBytes;
    private volatile long limitBytes;

    // What follows is written by the owner and read by the budget, or guarded by the budget.
    private volatile long usedBytes;
    private volatile long reportedMisses;
    private long missesBefore;
    private double recentMisses;
    private long fairBytes;

    HeapLease(HeapBudget budget, long allowedBytes) {
        this.budget = budget;
        this.allowedBytes = allowedBytes;
    }

    /** Heap bytes that the owner may hold now; 0 once closed. Any thread. */
    public long limitBytes() {
        return limitBytes;
    }

    /**
     * Reports what the lease is worth to its owner; the budget may then divide anew.
     *
     * @param heldBytes heap bytes that the owner holds now
     * @param misses how often it had to read the cold tier, ever
     * @param nowNanos the time of a clock that never goes back
     */
    public void report(long heldBytes, long misses, long nowNanos) {
        usedBytes = heldBytes;
        reportedMisses = misses;
        budget.balance(nowNanos);
    }

    /**
     * Gives the share back to the other leases.
     *
     * @throws IllegalStateException if it was given back before
     */
    @Override
    public void close() {
        budget.giveBack(this);
    }

    /** What the owner's job allows all leases of the process to take. */
    long allowedBytes() {
        return allowedBytes;
    }

    /** The limit that the lease tends to while nobody misses. */
    long fairBytes() {
        return fairBytes;
    }

    void setFairBytes(long bytes) {
        fairBytes = bytes;
    }

    void setLimitBytes(long bytes) {
        limitBytes = bytes;
    }

    long usedBytes() {
        return usedBytes;
    }

    /** Counts the misses of the interval that ends, and lets those before fade. */
    void endInterval() {
        long misses = reportedMisses;
        recentMisses = recentMisses / 2 + (misses - missesBefore);
        missesBefore = misses;
    }

    /** Tells whether more memory would save misses, as far as one can know. */
    boolean isShort() {
        return recentMisses >= 1 && usedBytes >= limitBytes - limitBytes / FULL_PARTS;
    }

    double missesPerByte() {
        return recentMisses / Math.max(1, limitBytes);
    }
}
