/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Divides the heap budget fairly: as evenly as what each lease allows permits. The lease with the
 * least bytes has as many as possible, then the next one, and so on.
 */
final class FairShares {

    private FairShares() {}

    /**
     * Sets the fair share of each lease, and scales its limit by as much as that has changed.
     *
     * @param leases those that allow least first
     * @param allowed what all leases up to a given one may take together
     */
    static void divide(List<HeapLease> leases, ToLongFunction<HeapLease> allowed) {
        long taken = 0;
        for (int from = 0; from < leases.size(); ) {
            int tightest = from;
            long least = Long.MAX_VALUE;
            for (int i = from; i < leases.size(); i++) {
                long each = (allowed.applyAsLong(leases.get(i)) - taken) / (i + 1 - from);
                if (each <= least) {
                    least = each;
                    tightest = i;
                }
            }
            for (; from <= tightest; from++) {
                setFairBytes(leases.get(from), least);
                taken += least;
            }
        }
    }

    private static void setFairBytes(HeapLease lease, long bytes) {
        long before = lease.fairBytes();
        lease.setFairBytes(bytes);
        lease.setLimitBytes(before == 0 ? bytes : scaled(lease.limitBytes(), bytes, before));
    }

    static long scaled(long bytes, long numerator, long denominator) {
        return (long) ((double) bytes * numerator / denominator);
    }
}
