/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import org.apache.flink.util.Collector;

/**
 * A line of the ledger: a flight, and how often later flights looked at it.
 *
 * @param flight the flight's sequence number, the key
 * @param route where it flew
 * @param departureMillis when
 * @param visits how often it was looked up
 * @param visitor the flight that looked last, or itself
 */
public record LedgerEntry(
        long flight, String route, long departureMillis, int visits, long visitor) {

    /** One visit in so many is a result, so that results do not grow as the state does. */
    static final int REPORT_EVERY = 100;

    private static final int VISIT_EVERY = 2;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    LedgerEntry visitedBy(LedgerEntry later) {
        return new LedgerEntry(flight, route, departureMillis, visits + 1, later.visitor);
    }

    /** Writes the flight, and for every second one a visit to some earlier flight. */
    static void write(Flight flight, Collector<LedgerEntry> out) {
        long sequence = flight.sequence();
        out.collect(
                new LedgerEntry(sequence, flight.route(), flight.departureMillis(), 0, sequence));
        if (sequence % VISIT_EVERY == 0 && sequence > 0) {
            long earlier = Long.remainderUnsigned(sequence * MIX, sequence);
            out.collect(
                    new LedgerEntry(
                            earlier, flight.route(), flight.departureMillis(), 0, sequence));
        }
    }
}
