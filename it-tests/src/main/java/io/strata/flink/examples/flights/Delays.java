/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import org.apache.flink.api.common.functions.AggregateFunction;

/**
 * Sum of the delays of some flights.
 *
 * @param flights how many
 * @param totalMinutes their delays, added up
 * @param worstMinutes the longest of them
 */
public record Delays(long flights, long totalMinutes, int worstMinutes) {

    static final Delays NONE = new Delays(0, 0, Integer.MIN_VALUE);

    Delays plus(Flight flight) {
        return plus(new Delays(1, flight.delayMinutes(), flight.delayMinutes()));
    }

    Delays plus(Delays other) {
        return new Delays(
                flights + other.flights,
                totalMinutes + other.totalMinutes,
                Math.max(worstMinutes, other.worstMinutes));
    }

    /** As it stands in a result: {@code flights,totalMinutes,worstMinutes}. */
    @Override
    public String toString() {
        return flights + "," + totalMinutes + "," + worstMinutes;
    }

    /** Adds flights up, for windows and for aggregating state. */
    static final class Sum implements AggregateFunction<Flight, Delays, Delays> {

        private static final long serialVersionUID = 1L;

        @Override
        public Delays createAccumulator() {
            return NONE;
        }

        @Override
        public Delays add(Flight flight, Delays sum) {
            return sum.plus(flight);
        }

        @Override
        public Delays getResult(Delays sum) {
            return sum;
        }

        @Override
        public Delays merge(Delays a, Delays b) {
            return a.plus(b);
        }
    }
}
