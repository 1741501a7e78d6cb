/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.util.function.ToLongFunction;

/**
 * Spares nodes whose namespace ends soon: a window about to fire is read for certain, one that ends
 * far away is not for long. Soon is what is nearer than the mean of the nodes that could leave
 * lately; so it needs no clock, and says nothing where all end together. Task thread only.
 *
 * @param <E> {@link HotEntry} or {@link HotSlot}
 */
final class NearDeadlines<E extends HotNode> {

    /** The mean is over about so many nodes. */
    private static final int WEIGHT = 64;

    /** Of so many that are near one leaves all the same: some deadlines pass and nobody comes. */
    private static final int ONE_LEAVES = 8;

    private final ToLongFunction<E> deadlineOf;
    private double mean = Double.NaN;
    private int near;

    NearDeadlines(ToLongFunction<E> deadlineOf) {
        this.deadlineOf = deadlineOf;
    }

    /** Whether a node that could leave stays for this time. */
    boolean spares(E node) {
        double deadline = deadlineOf.applyAsLong(node);
        mean = Double.isNaN(mean) ? deadline : mean + (deadline - mean) / WEIGHT;
        return deadline < mean && ++near % ONE_LEAVES != 0;
    }
}
