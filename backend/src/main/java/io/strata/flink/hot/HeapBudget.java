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
 * <p>Each lease comes with what its job allows the process to take. The total is the largest of
 * these, and leases that allow less than others never take more together than they allow: for any
 * size, all leases that allow at most so much stay within it. Of the total, {@link #setShare} says
 * which part may be used.
 *
 * <p>Leases begin with fair shares: even ones, as far as what is allowed does not say less. After
 * that bytes go where they save most reads of the cold tier: every {@value #INTERVAL_MILLIS} ms,
 * from the lease with the fewest misses a byte to the one with the most, if that has more than
 * {@value #HYSTERESIS} times as many and uses what it has. A step is at most a {@value
 * #STEP_PART}th of the total, no lease falls below a {@value #FLOOR_PART}th of its fair share, and
 * misses count for half after each interval; so alternating load moves little. Where nobody misses,
 * shares drift back to fair ones.
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

    /** Those that allow least first. */
    private final List<HeapLease> leases = new ArrayList<>();

    private final long usuallyAllowedBytes;
    private double share = 1;
    private long balancedAtNanos;
    private boolean everBalanced;

    /** A budget in which each lease says what it allows. */
    public HeapBudget() {
        this(0);
    }

    /**
     * A budget in which all leases allow the same.
     *
     * @param allowedBytes heap bytes to divide
     */
    public HeapBudget(long allowedBytes) {
        this.usuallyAllowedBytes = allowedBytes;
    }

    /** Opens a lease that allows what leases of this budget usually do. */
    public HeapLease lease() {
        return lease(usuallyAllowedBytes);
    }

    /**
     * Opens a lease; the limits of the others fall at once.
     *
     * @param allowedBytes what its job allows all leases of the process to take
     */
    public synchronized HeapLease lease(long allowedBytes) {
        if (allowedBytes < 0) {
            throw new IllegalArgumentException("Negative allowedBytes: " + allowedBytes);
        }
        HeapLease opened = new HeapLease(this, allowedBytes);
        leases.add(opened);
        leases.sort(Comparator.comparingLong(HeapLease::allowedBytes));
        divideAnew();
        opened.setLimitBytes(0);
        opened.setLimitBytes(
                Math.max(floorBytes(opened), Math.min(opened.fairBytes(), freeBytes(opened))));
        return opened;
    }

    /**
     * Says which part of the total may be used, for example after what a garbage collection
     * reported.
     *
     * @param newShare 0 to 1
     */
    public synchronized void setShare(double newShare) {
        if (!(newShare >= 0 && newShare <= 1)) {
            throw new IllegalArgumentException("Not a share: " + newShare);
        }
        share = newShare;
        divideAnew();
    }

    /** Heap bytes divided among the leases. */
    public synchronized long totalBytes() {
        return leases.isEmpty() ? 0 : allowedBytes(leases.get(leases.size() - 1));
    }

    /** The part of what is allowed that the leases held when they last reported. */
    public synchronized double heldShare() {
        long held = leases.stream().mapToLong(HeapLease::usedBytes).sum();
        long all = leases.isEmpty() ? 0 : leases.get(leases.size() - 1).allowedBytes();
        return all == 0 ? 0 : Math.min(1, (double) held / all);
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
        divideAnew();
    }

    /** Scales all limits as the fair shares have changed, and keeps them within what is allowed. */
    private void divideAnew() {
        FairShares.divide(leases, this::allowedBytes);
        long limits = 0;
        for (int i = 0; i < leases.size(); i++) {
            limits += leases.get(i).limitBytes();
            boolean lastOfItsSize =
                    i + 1 == leases.size()
                            || leases.get(i + 1).allowedBytes() > leases.get(i).allowedBytes();
            long allowed = allowedBytes(leases.get(i));
            if (lastOfItsSize && limits > allowed) {
                for (HeapLease lease : leases.subList(0, i + 1)) {
                    lease.setLimitBytes(FairShares.scaled(lease.limitBytes(), allowed, limits));
                }
                limits = allowed;
            }
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
            grant(needy.get(), totalBytes() / STEP_PART);
        } else {
            driftToFair();
        }
    }

    /** Lowers the limit of the lease that would miss the bytes least. */
    private void takeFor(HeapLease needy) {
        long stepBytes = totalBytes() / STEP_PART;
        if (freeBytes(needy) >= stepBytes) {
            return;
        }
        long within = tightestFor(needy).allowedBytes();
        leases.stream()
                .filter(lease -> lease != needy && lease.allowedBytes() <= within)
                .filter(this::mayGive)
                .min(Comparator.comparingDouble(HeapLease::missesPerByte))
                .filter(donor -> needy.missesPerByte() > HYSTERESIS * donor.missesPerByte())
                .ifPresent(
                        donor -> {
                            long mostBytes = donor.limitBytes() - floorBytes(donor);
                            donor.setLimitBytes(
                                    donor.limitBytes() - Math.min(stepBytes, mostBytes));
                        });
    }

    /** Whoever still holds more than its limit has something to give back first. */
    private boolean mayGive(HeapLease lease) {
        return lease.limitBytes() > floorBytes(lease) && lease.usedBytes() <= lease.limitBytes();
    }

    private void grant(HeapLease lease, long wantedBytes) {
        long granted = Math.min(wantedBytes, freeBytes(lease));
        if (granted > 0) {
            lease.setLimitBytes(lease.limitBytes() + granted);
        }
    }

    private void driftToFair() {
        for (HeapLease lease : leases) {
            long surplus = lease.limitBytes() - lease.fairBytes();
            if (surplus > 0 && mayGive(lease)) {
                lease.setLimitBytes(lease.limitBytes() - Math.max(1, surplus / STEP_PART));
            }
        }
        for (HeapLease lease : leases) {
            grant(lease, lease.fairBytes() - lease.limitBytes());
        }
    }

    /** Returns what no lease may hold and none still holds, as far as this lease may have it. */
    private long freeBytes(HeapLease lease) {
        HeapLease tightest = tightestFor(lease);
        return allowedBytes(tightest) - heldUpTo(tightest.allowedBytes());
    }

    /** Returns a lease whose size leaves a given one least. */
    private HeapLease tightestFor(HeapLease lease) {
        return leases.stream()
                .filter(other -> other.allowedBytes() >= lease.allowedBytes())
                .min(
                        Comparator.comparingLong(
                                other -> allowedBytes(other) - heldUpTo(other.allowedBytes())))
                .orElse(lease);
    }

    /** Returns what the leases that allow at most so much may hold or still hold. */
    private long heldUpTo(long allowedBytes) {
        return leases.stream()
                .filter(lease -> lease.allowedBytes() <= allowedBytes)
                .mapToLong(lease -> Math.max(lease.limitBytes(), lease.usedBytes()))
                .sum();
    }

    private long allowedBytes(HeapLease lease) {
        return (long) (share * lease.allowedBytes());
    }

    private static long floorBytes(HeapLease lease) {
        return lease.fairBytes() / FLOOR_PART;
    }
}
