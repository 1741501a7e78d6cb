/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.State;
import org.apache.flink.runtime.state.StateEntry;
import org.apache.flink.runtime.state.internal.InternalAppendingState;
import org.apache.flink.runtime.state.internal.InternalKvState;
import org.apache.flink.runtime.state.internal.InternalKvState.StateIncrementalVisitor;

/**
 * Visits a state with the visitor that Flink's TTL clean-up uses, which removes and updates entries
 * on its way. A backend may visit a part of its entries only, so the model repeats what the subject
 * did, entry by entry, through the ordinary state.
 */
record VisitOperation(int state, int most, long recipe) implements Operation {

    private enum Action {
        LEAVE,
        REMOVE,
        UPDATE
    }

    /** One visited entry, as it was before the visit. */
    record Visit(Object key, Object namespace, String content) {}

    @Override
    @SuppressWarnings("unchecked")
    public List<Visit> apply(KeyedJob job) throws Exception {
        StateSpec spec = spec(job);
        List<Visit> visits = new ArrayList<>();
        for (JobInstance instance : job.instances()) {
            InternalKvState<Object, Object, Object> visited =
                    (InternalKvState<Object, Object, Object>) instance.state(spec);
            StateIncrementalVisitor<Object, Object, Object> visitor =
                    visited.getStateIncrementalVisitor(most);
            while (visitor.hasNext()) {
                for (StateEntry<Object, Object, Object> entry : visitor.nextEntries()) {
                    visits.add(visit(spec, visitor, entry));
                }
            }
        }
        return visits;
    }

    private Visit visit(
            StateSpec spec,
            StateIncrementalVisitor<Object, Object, Object> visitor,
            StateEntry<Object, Object, Object> entry) {
        Visit visit =
                new Visit(entry.getKey(), entry.getNamespace(), Observed.of(entry.getState()));
        switch (action(visit)) {
            case REMOVE -> visitor.remove(entry);
            case UPDATE -> visitor.update(entry, StateAccess.stored(spec, recipe));
            case LEAVE -> {
                // Nothing.
            }
        }
        return visit;
    }

    @Override
    @SuppressWarnings("unchecked")
    public List<Visit> replay(KeyedJob model, Object subjectOutcome) throws Exception {
        StateSpec spec = spec(model);
        List<Visit> repeated = new ArrayList<>();
        for (Visit visit : (List<Visit>) subjectOutcome) {
            State at = model.instanceOf(visit.key()).state(spec, visit.key(), visit.namespace());
            repeated.add(new Visit(visit.key(), visit.namespace(), internal(spec, at)));
            switch (action(visit)) {
                case REMOVE -> at.clear();
                case UPDATE -> StateAccess.replace(spec, at, recipe);
                case LEAVE -> {
                    // Nothing.
                }
            }
        }
        return repeated;
    }

    /** An accumulator is visited as it is stored. */
    private static String internal(StateSpec spec, State state) throws Exception {
        return spec.kind() == StateSpec.Kind.AGGREGATING
                ? Observed.of(((InternalAppendingState<?, ?, ?, ?, ?>) state).getInternal())
                : StateAccess.read(spec, state);
    }

    private Action action(Visit visit) {
        int hash = visit.key().hashCode() * 31 + visit.namespace().hashCode();
        return Action.values()[Math.floorMod(hash + recipe, 3)];
    }

    private StateSpec spec(KeyedJob job) {
        return job.scenario().states().get(state);
    }
}
