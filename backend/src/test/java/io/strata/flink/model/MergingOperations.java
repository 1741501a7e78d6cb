/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.util.List;
import org.apache.flink.runtime.state.internal.InternalAppendingState;
import org.apache.flink.runtime.state.internal.InternalMergingState;

/** Operations on list, reducing and aggregating states. */
final class MergingOperations {

    private MergingOperations() {}

    /** Merges namespaces as session windows do. */
    record Merge(Operation.Place at, List<Integer> sources) implements Operation {
        @Override
        @SuppressWarnings("unchecked")
        public String apply(KeyedJob job) throws Exception {
            NamespaceType namespaces = job.spec(at).namespaces();
            Object target = namespaces.namespace(at.namespace());
            InternalMergingState<Object, Object, Object, Object, Object> state =
                    (InternalMergingState<Object, Object, Object, Object, Object>) job.at(at);
            state.mergeNamespaces(target, sources.stream().map(namespaces::namespace).toList());
            state.setCurrentNamespace(target);
            return StateAccess.read(job.spec(at), state);
        }
    }

    record AddNull(Operation.Place at) implements Operation {
        @Override
        @SuppressWarnings("unchecked")
        public String apply(KeyedJob job) throws Exception {
            ((InternalAppendingState<Object, Object, Object, Object, Object>) job.at(at)).add(null);
            return "";
        }
    }

    record ReadInternal(Operation.Place at) implements Operation {
        @Override
        @SuppressWarnings("unchecked")
        public String apply(KeyedJob job) throws Exception {
            return Observed.of(
                    ((InternalAppendingState<Object, Object, Object, Object, Object>) job.at(at))
                            .getInternal());
        }
    }
}
