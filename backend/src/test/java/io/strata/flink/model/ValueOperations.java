/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import org.apache.flink.api.common.state.ValueState;

/** Operations on value states. */
final class ValueOperations {

    private ValueOperations() {}

    @SuppressWarnings("unchecked")
    private static ValueState<Object> state(KeyedJob job, Operation.Place at) throws Exception {
        return (ValueState<Object>) job.at(at);
    }

    record ValueUpdate(Operation.Place at, long recipe) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            ValueState<Object> state = state(job, at);
            state.update(job.spec(at).values().create(recipe));
            return Observed.of(state.value());
        }
    }

    record ValueUpdateNull(Operation.Place at) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            ValueState<Object> state = state(job, at);
            state.update(null);
            return Observed.of(state.value());
        }
    }
}
