/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.util.ArrayList;
import java.util.List;

/**
 * The epochs of one store: how many were sealed and how many of those are flushed. All hot tables
 * of a store share one clock. Task thread only.
 *
 * <pre>
 *   epoch:   1 .. flushed | flushed+1 .. current-1 | current
 *   entries: clean        | frozen (in flight)     | dirty, still changing
 * </pre>
 */
public final class EpochClock {

    /** The epoch of an entry that was loaded from below: clean from the start. */
    static final int LOADED = 0;

    private final List<ByteLedger> ledgers = new ArrayList<>();
    int current = 1;
    int flushed;

    /** The epoch in which entries are dirtied now. */
    public int current() {
        return current;
    }

    /** The last epoch whose flush is installed; everything up to it is clean. */
    public int flushed() {
        return flushed;
    }

    /** Whether a sealed epoch is not installed yet. */
    public boolean inFlight() {
        return flushed + 1 < current;
    }

    /**
     * Ends the current epoch. Every table must hand over its dirty list right after this, before it
     * is touched again (a table that was forgotten throws at its next change).
     *
     * @return the sealed epoch
     */
    public int seal() {
        if (current == Integer.MAX_VALUE) {
            throw new IllegalStateException("Out of epochs");
        }
        return current++;
    }

    /**
     * Makes everything up to {@code epoch} clean, without visiting it.
     *
     * @param epoch a sealed epoch, newer than the last installed one
     */
    public void installed(int epoch) {
        if (epoch <= flushed || epoch >= current) {
            throw new IllegalArgumentException(
                    "Epoch "
                            + epoch
                            + " cannot be installed: flushed "
                            + flushed
                            + ", current "
                            + current);
        }
        flushed = epoch;
        for (ByteLedger ledger : ledgers) {
            ledger.installed(epoch);
        }
    }

    void register(ByteLedger ledger) {
        ledgers.add(ledger);
    }
}
