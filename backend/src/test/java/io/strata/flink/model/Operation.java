/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

/** One step of a scenario; its {@code toString} tells all about it. */
interface Operation {

    /** Applies this operation and returns what became visible, mostly text of {@link Observed}. */
    Object apply(KeyedJob job) throws Exception;

    /**
     * Applies to the model what the subject did with {@link #apply}, for operations whose course
     * the backend may choose.
     */
    default Object replay(KeyedJob model, Object subjectOutcome) throws Exception {
        return apply(model);
    }

    /**
     * Where a state operation acts.
     *
     * @param state index into the scenario's states
     * @param key number of the key
     * @param namespace number of the namespace
     */
    record Place(int state, int key, int namespace) {}
}
