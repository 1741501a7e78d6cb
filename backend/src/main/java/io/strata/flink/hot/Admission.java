/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/**
 * Decides whether what was read from below is kept. While fewer than one in {@value #LOW_PART}
 * accesses finds something, keeping it only pushes out what will not be found either: then only
 * what left or was turned away lately is kept, because it is asked for again. That ends when one in
 * {@value #HIGH_PART} finds something. Besides, whenever as many were turned away as there are
 * nodes, all are kept until somebody would have to leave for it: the memory may have grown. Task
 * thread only.
 */
final class Admission {

    static final int LOW_PART = 16;
    static final int HIGH_PART = 8;

    /** Accesses from which on their hits say something. */
    private static final int MIN_ACCESSES = 2048;

    private static final int MIN_TURNED_AWAY = 4096;

    private final GhostTable ghosts;
    private long hits;
    private long loads;
    private boolean begun;
    private boolean closed;
    private boolean onTrial;
    private long turnedAway;

    /**
     * Admits everything at first.
     *
     * @param ghosts those that left; may be empty of memory while nothing left
     */
    Admission(GhostTable ghosts) {
        this.ghosts = ghosts;
    }

    void countHit() {
        hits++;
    }

    /**
     * Whether a node that was loaded is to be kept.
     *
     * @param place of the node
     * @param nodes here now
     */
    boolean admits(long place, long nodes) {
        loads++;
        if (!closed || onTrial) {
            return true;
        }
        if (hits + loads >= MIN_ACCESSES) {
            if (hits * HIGH_PART > hits + loads) {
                closed = false;
                return true;
            }
            startCount();
        }
        if (ghosts.contains(place)) {
            return true;
        }
        ghosts.add(place);
        if (++turnedAway > Math.max(MIN_TURNED_AWAY, nodes)) {
            onTrial = true;
        }
        return false;
    }

    /** Room has to be made: looks whether it is worth it. */
    void evicting() {
        if (onTrial) {
            onTrial = false;
            turnedAway = 0;
        } else if (!begun) {
            begun = true; // while a table fills, nothing can be found
            startCount();
        } else if (!closed && hits + loads >= MIN_ACCESSES) {
            closed = hits * LOW_PART < hits + loads;
            turnedAway = 0;
            startCount();
        }
    }

    private void startCount() {
        hits = 0;
        loads = 0;
    }
}
