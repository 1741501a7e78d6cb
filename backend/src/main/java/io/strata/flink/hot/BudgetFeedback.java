/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/**
 * Decides from what collections of garbage leave on the heap which part of the heap budget may be
 * used: the correction of whatever the estimates miss, and of whatever else the process has on its
 * heap. A pure function of the reports, in their order. Not thread-safe.
 *
 * <pre>
 *   occupancy   0 ........ 0.70 ........ 0.80 ........ 0.85 ........ 1
 *   YOUNG       | grow      | nothing     | freeze
 *   MIXED       | grow      | nothing     | freeze     | shrink
 *   FULL        | grow      | nothing     | shrink
 * </pre>
 *
 * <ul>
 *   <li><i>Shrink</i>: to three quarters of what is held now, half when hardly anything is left. At
 *       most once in {@value #SHRINK_MILLIS} ms, unless the collection was a full one, since what
 *       is evicted stays on the heap as garbage until it is collected.
 *   <li><i>Freeze</i>: no more than what is held now, until there is room. Costs nothing if the
 *       heap is full of garbage, and wins the time until that is known if it is not.
 *   <li><i>Grow</i>: by a sixteenth of the budget, once a second, when nothing was shrunk for
 *       {@value #MIN_HOLD_SECONDS} s. That time doubles when shrinking follows within {@value
 *       #RELAPSE_SECONDS} s of growing, up to {@value #MAX_HOLD_SECONDS} s, and is the shortest
 *       again otherwise: a load that comes and goes, or a job that never fits, does not make the
 *       budget swing.
 * </ul>
 */
public final class BudgetFeedback {

    static final double LOW = 0.70;
    static final double HIGH = 0.80;
    static final double MIXED_HIGH = 0.85;
    static final double EXHAUSTED = 0.95;
    static final long SHRINK_MILLIS = 500;
    static final int MIN_HOLD_SECONDS = 5;
    static final int MAX_HOLD_SECONDS = 320;
    static final int RELAPSE_SECONDS = 600;

    /** Less than this part of the budget would only make the tasks wait for the disk. */
    static final double FLOOR = 1.0 / 64;

    /** What is held may be known late; it is taken for this part of the share at least. */
    private static final double MOST_UNNOTICED = 4;

    private static final double STEP = 1.0 / 16;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private double share = 1;

    /** The share that must not be exceeded for the moment; more than 1 when there is none. */
    private double frozen = 2;

    private long holdNanos = MIN_HOLD_SECONDS * NANOS_PER_SECOND;
    private boolean everShrunk;
    private boolean grownSinceShrunk;
    private long shrunkAtNanos;
    private long grownAtNanos;
    private long shrinks;

    /** The part of the budget that may be used, more than 0 and at most 1. */
    public double share() {
        return Math.min(share, frozen);
    }

    /** How often it was lowered; freezing does not count. */
    public long shrinks() {
        return shrinks;
    }

    /**
     * Takes notice of a collection.
     *
     * @param held the part of the budget that was held at last notice, 0 to 1
     */
    public void collected(CollectionReport report, double held) {
        double occupancy = report.occupancy();
        if (mustShrink(report)) {
            shrink(occupancy, held, report.nanos());
        } else if (occupancy > HIGH) {
            frozen = Math.min(frozen, Math.max(FLOOR, held));
        } else if (occupancy < LOW) {
            frozen = 2;
            grow(report.nanos());
        }
    }

    private boolean mustShrink(CollectionReport report) {
        return switch (report.scope()) {
            case YOUNG -> false;
            case MIXED ->
                    report.occupancy() > MIXED_HIGH
                            && (!everShrunk
                                    || report.nanos() - shrunkAtNanos
                                            >= SHRINK_MILLIS * NANOS_PER_MILLI);
            case FULL -> report.occupancy() > HIGH;
        };
    }

    private void shrink(double occupancy, double held, long nanos) {
        double factor = occupancy > EXHAUSTED ? 0.5 : 0.75;
        double used = Math.max(held, share() / MOST_UNNOTICED);
        double lowered = Math.max(FLOOR, Math.min(share(), used) * factor);
        if (grownSinceShrunk) {
            boolean relapse = nanos - grownAtNanos < RELAPSE_SECONDS * NANOS_PER_SECOND;
            long longer = Math.min(2 * holdNanos, MAX_HOLD_SECONDS * NANOS_PER_SECOND);
            holdNanos = relapse ? longer : MIN_HOLD_SECONDS * NANOS_PER_SECOND;
            grownSinceShrunk = false;
        }
        if (lowered < share()) {
            shrinks++;
        }
        share = Math.min(share, lowered);
        frozen = 2;
        everShrunk = true;
        shrunkAtNanos = nanos;
    }

    private void grow(long nanos) {
        if (share >= 1
                || nanos - shrunkAtNanos < holdNanos
                || (grownSinceShrunk && nanos - grownAtNanos < NANOS_PER_SECOND)) {
            return;
        }
        share = Math.min(1, share + STEP);
        grownSinceShrunk = true;
        grownAtNanos = nanos;
    }
}
