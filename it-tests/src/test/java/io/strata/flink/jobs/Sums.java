/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import org.apache.flink.api.common.functions.AggregateFunction;

/**
 * How many numbers there were and what they add up to.
 *
 * @param count how many
 * @param total their sum
 */
public record Sums(long count, long total) {

    static final Sums NONE = new Sums(0, 0);

    Sums plus(long number) {
        return new Sums(count + 1, total + number);
    }

    Sums plus(Sums other) {
        return new Sums(count + other.count, total + other.total);
    }

    @Override
    public String toString() {
        return count + "/" + total;
    }

    /** Adds a number of each record. */
    abstract static class Adding<T> implements AggregateFunction<T, Sums, Sums> {

        private static final long serialVersionUID = 1L;

        abstract long numberOf(T record);

        @Override
        public Sums createAccumulator() {
            return NONE;
        }

        @Override
        public Sums add(T record, Sums sums) {
            return sums.plus(numberOf(record));
        }

        @Override
        public Sums getResult(Sums sums) {
            return sums;
        }

        @Override
        public Sums merge(Sums a, Sums b) {
            return a.plus(b);
        }
    }

    /** Adds the amounts of events. */
    static final class OfAmounts extends Adding<Event> {

        private static final long serialVersionUID = 1L;

        @Override
        long numberOf(Event event) {
            return event.amount();
        }
    }

    /** Adds the checks of window results. */
    static final class OfChecks extends Adding<WindowResult> {

        private static final long serialVersionUID = 1L;

        @Override
        long numberOf(WindowResult result) {
            return result.check();
        }
    }
}
