/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/**
 * One backend's share of a {@link HeapBudget}. The share changes when others come and go; its owner
 * asks for {@link #limitBytes()} at every record.
 */
public final class HeapLease implements AutoCloseable {

    private final HeapBudget budget;
    private volatile long limitBytes;

    HeapLease(HeapBudget budget) {
        this.budget = budget;
    }

    /** Heap bytes that the owner may hold now; 0 once closed. Any thread. */
    public long limitBytes() {
        return limitBytes;
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

    void setLimitBytes(long bytes) {
        limitBytes = bytes;
    }
}
