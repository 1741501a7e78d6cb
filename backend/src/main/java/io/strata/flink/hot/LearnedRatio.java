/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/**
 * A ratio learned from pairs of numbers, of which the last {@value #WINDOW} or so count. It is the
 * ratio of the sums, so that what it gives for all numbers together is right even when the pairs
 * differ much. Task thread only.
 */
final class LearnedRatio {

    private static final int WINDOW = 48;

    private int pairs;
    private double meanDividend;
    private double meanDivisor;

    /**
     * Adds a pair. The first one is forgotten when the second comes: to the first walk over a value
     * everything is new, and so nothing shared.
     */
    void add(double dividend, double divisor) {
        pairs++;
        double share = pairs <= 2 ? 1 : 1.0 / Math.min(pairs - 1, WINDOW);
        meanDividend += share * (dividend - meanDividend);
        meanDivisor += share * (divisor - meanDivisor);
    }

    /** The number of pairs added. */
    int pairs() {
        return pairs;
    }

    /** The ratio; 0 while there is none. */
    double get() {
        return meanDivisor == 0 ? 0 : meanDividend / meanDivisor;
    }
}
