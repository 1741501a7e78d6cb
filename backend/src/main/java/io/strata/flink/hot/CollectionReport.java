/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/**
 * What a collection of garbage left on the heap.
 *
 * @param occupancy the part of the space for long-lived objects that is still taken, 0 to 1
 * @param scope what was collected
 * @param nanos when it ended, on a clock that never goes back
 */
public record CollectionReport(double occupancy, Scope scope, long nanos) {

    /** Which garbage is gone. */
    public enum Scope {
        /** That of young objects; how much of the old ones is garbage is not known. */
        YOUNG,
        /** That of young objects and perhaps of some old ones. */
        MIXED,
        /** All: what is left lives, or did when the collection began. */
        FULL
    }
}
