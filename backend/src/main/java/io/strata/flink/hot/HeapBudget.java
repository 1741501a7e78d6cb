/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.util.ArrayList;
import java.util.List;

/**
 * The heap that all backends of one process may fill with hot state, divided evenly among the open
 * ones. Thread-safe.
 */
public final class HeapBudget {

    private final List<HeapLease> leases = new ArrayList<>();
    private long totalBytes;

    /**
     * A budget that nobody leased from yet.
     *
     * @param totalBytes heap bytes to divide
     */
    public HeapBudget(long totalBytes) {
        this.totalBytes = checkTotal(totalBytes);
    }

    /** Opens a lease; the limits of the others fall at once. */
    public synchronized HeapLease lease() {
        HeapLease lease = new HeapLease(this);
        leases.add(lease);
        divide();
        return lease;
    }

    /** Changes the total, for example after what a garbage collection reported. */
    public synchronized void setTotalBytes(long newTotalBytes) {
        totalBytes = checkTotal(newTotalBytes);
        divide();
    }

    /** Heap bytes divided among the leases. */
    public synchronized long totalBytes() {
        return totalBytes;
    }

    /** The number of open leases. */
    public synchronized int openLeases() {
        return leases.size();
    }

    synchronized void giveBack(HeapLease lease) {
        if (!leases.remove(lease)) {
            throw new IllegalStateException("The lease is closed already");
        }
        lease.setLimitBytes(0);
        divide();
    }

    private void divide() {
        for (HeapLease lease : leases) {
            lease.setLimitBytes(totalBytes / leases.size());
        }
    }

    private static long checkTotal(long totalBytes) {
        if (totalBytes < 0) {
            throw new IllegalArgumentException("Negative totalBytes: " + totalBytes);
        }
        return totalBytes;
    }
}
