/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.state.internal.InternalListState;

/** Operations on list states. */
final class ListOperations {

    private ListOperations() {}

    @SuppressWarnings("unchecked")
    private static InternalListState<Object, Object, Object> state(KeyedJob job, Operation.Place at)
            throws Exception {
        return (InternalListState<Object, Object, Object>) job.at(at);
    }

    record ListAddAll(Operation.Place at, long recipe, int count) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            state(job, at).addAll(StateAccess.elements(job.spec(at), recipe, count));
            return "";
        }
    }

    record ListUpdate(Operation.Place at, long recipe, int count) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            state(job, at).update(StateAccess.elements(job.spec(at), recipe, count));
            return "";
        }
    }

    /** Takes the list, changes an element and writes the list back. */
    record ListChangeElement(Operation.Place at, long recipe) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            Iterable<Object> found = state(job, at).get();
            if (found == null) {
                return "absent";
            }
            List<Object> elements = new ArrayList<>();
            found.forEach(elements::add);
            int index = (int) Math.floorMod(recipe, (long) elements.size());
            elements.set(index, job.spec(at).values().mutate(elements.get(index), recipe));
            state(job, at).update(elements);
            return Observed.of(elements);
        }
    }

    /** Reads only the first elements, so that an iterator is left behind unfinished. */
    record ListReadFirst(Operation.Place at, int count) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            Iterable<Object> found = state(job, at).get();
            if (found == null) {
                return "absent";
            }
            List<Object> first = new ArrayList<>();
            for (Object element : found) {
                if (first.size() == count) {
                    break;
                }
                first.add(element);
            }
            return Observed.of(first);
        }
    }

    /** Adds a null, alone or between others: refused, and nothing is added. */
    record ListAddNull(Operation.Place at, boolean alone) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            if (alone) {
                state(job, at).add(null);
            } else {
                List<Object> elements = new ArrayList<>();
                elements.add(null);
                elements.add(job.spec(at).values().create(1));
                state(job, at).addAll(elements);
            }
            return "accepted";
        }

        /** The heap backend adds what comes before the null, and breaks if nothing was there. */
        @Override
        public String replay(KeyedJob model, Object subjectOutcome) {
            return "threw NullPointerException";
        }
    }
}
