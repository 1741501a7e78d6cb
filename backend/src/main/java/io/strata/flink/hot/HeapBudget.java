/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The heap that the hot tiers of one process may take together, divided into leases.
 *
 * <p>Leases begin with even shares. After that bytes go where they save most reads of the cold
 * tier: every {@value #INTERVAL_MILLIS} ms, from the lease with the fewest misses a byte to the one
 * with the most, if that has more than {@value #HYSTERESIS} times as many and uses what it has. A
 * step is at most a {@value #STEP_PART}th of the total, no lease falls below a {@value
 * #FLOOR_PART}th of an even share, and misses count for half after each interval; so alternating
 * load moves little. Where nobody misses, shares drift back to even ones.
 *
 * <p>What a lease loses is granted to another one only when its owner has made room, so that all
 * together stay within the total. A new lease is the exception: it may have its floor at once.
 *
 * <p>Thread-safe. The idea of comparing marginal benefits is that of memory partitioning among
 * caches (Cidon et al., "Cliffhanger", NSDI 2016), with misses a byte in the place of shadow
 * queues.
 */
public final class HeapBudget {

    static final long INTERVAL_MILLIS = 100;
    static final int HYSTERESIS = 2;
    static final int STEP_PART = 16;
    static final int FLOOR_PART = 4;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final List<HeapLease> leases = new ArrayList<>();
    private long totalBytes;
    private long balancedAtNanos;
    private boolean everBalanced;

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
        HeapLease opened = new HeapLease(this);
        int before = leases.size();
        for (HeapLease lease : leases) {
            lease.setLimitBytes(scaled(lease.limitBytes(), before, before + 1));
        }
        leases.add(opened);
        opened.setLimitBytes(Math.max(floorBytes(), Math.min(evenBytes(), freeBytes())));
        return opened;
    }

    /** Changes the total, for example after what a garbage collection reported. */
    public synchronized void setTotalBytes(long newTotalBytes) {
        long before = totalBytes;
        totalBytes = checkTotal(newTotalBytes);
        for (HeapLease lease : leases) {
            lease.setLimitBytes(
                    before == 0 ? evenBytes() : scaled(lease.limitBytes(), totalBytes, before));
        }
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
        long limits = limitBytes();
        for (HeapLease other : leases) {
            other.setLimitBytes(
                    limits == 0 ? evenBytes() : scaled(other.limitBytes(), totalBytes, limits));
        }
    }

    /** Moves bytes between leases, if it is time. */
    synchronized void balance(long nowNanos) {
        if (everBalanced && nowNanos - balancedAtNanos < INTERVAL_MILLIS * NANOS_PER_MILLI) {
            return;
        }
        everBalanced = true;
        balancedAtNanos = nowNanos;
        leases.forEach(HeapLease::endInterval);
        Optional<HeapLease> needy =
                leases.stream()
                        .filter(HeapLease::isShort)
                        .max(Comparator.comparingDouble(HeapLease::missesPerByte));
        if (needy.isPresent()) {
            takeFor(needy.get());
            grant(needy.get(), totalBytes / STEP_PART);
        } else {
            driftToEven();
        }
    }

    /** Lowers the limit of the lease that would miss the bytes least. */
    private void takeFor(HeapLease needy) {
        leases.stream()
                .filter(lease -> lease != needy && mayGive(lease))
                .min(Comparator.comparingDouble(HeapLease::missesPerByte))
                .filter(
                        donor ->
                                needy.missesPerByte() > HYSTERESIS * donor.missesPerByte()
                                        && freeBytes() < totalBytes / STEP_PART)
                .ifPresent(
                        donor -> {
                            long step =
                                    Math.min(
                                            totalBytes / STEP_PART,
                                            donor.limitBytes() - floorBytes());
                            donor.setLimitBytes(donor.limitBytes() - step);
                        });
    }

    /** Whoever still holds more than its limit has something to give back first. */
    private boolean mayGive(HeapLease lease) {
        return lease.limitBytes() > floorBytes() && lease.usedBytes() <= lease.limitBytes();
    }

    private void grant(HeapLease lease, long wantedBytes) {
        long granted = Math.min(wantedBytes, freeBytes());
        if (granted > 0) {
            lease.setLimitBytes(lease.limitBytes() + granted);
        }
    }

    private void driftToEven() {
        for (HeapLease lease : leases) {
            long surplus = lease.limitBytes() - evenBytes();
            if (surplus > 0 && mayGive(lease)) {
                lease.setLimitBytes(lease.limitBytes() - Math.max(1, surplus / STEP_PART));
            }
        }
        for (HeapLease lease : leases) {
            long missing = evenBytes() - lease.limitBytes();
            grant(lease, missing);
        }
    }

    /** Returns what no lease may hold and none still holds. */
    private long freeBytes() {
        long held = 0;
        for (HeapLease lease : leases) {
            held += Math.max(lease.limitBytes(), lease.usedBytes());
        }
        return totalBytes - held;
    }

    private long limitBytes() {
        return leases.stream().mapToLong(HeapLease::limitBytes).sum();
    }

    private long evenBytes() {
        return totalBytes / leases.size();
    }

    private long floorBytes() {
        return evenBytes() / FLOOR_PART;
    }

    private static long scaled(long bytes, long numerator, long denominator) {
        return (long) ((double) bytes * numerator / denominator);
    }

    private static long checkTotal(long totalBytes) {
        if (totalBytes < 0) {
            throw new IllegalArgumentException("Negative totalBytes: " + totalBytes);
        }
        return totalBytes;
    }
}
