/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.KeyedStateFunction;

/** Operations over many keys. */
final class ScanOperations {

    private ScanOperations() {}

    /** Collects from all instances, sorted; one that is returned twice appears twice. */
    private static String collect(KeyedJob job, Function<JobInstance, Stream<?>> scan) {
        List<String> found = new ArrayList<>();
        for (JobInstance instance : job.instances()) {
            try (Stream<?> stream = scan.apply(instance)) {
                stream.forEach(element -> found.add(Observed.of(element)));
            }
        }
        Collections.sort(found);
        return found.toString();
    }

    record Keys(int state, int namespace) implements Operation {
        @Override
        public String apply(KeyedJob job) {
            StateSpec spec = job.scenario().states().get(state);
            Object wanted = spec.namespaces().namespace(namespace);
            return collect(job, instance -> instance.backend().getKeys(spec.name(), wanted));
        }
    }

    /** The keys of several states of one type of namespace, each key once. */
    record KeysOfStates(List<Integer> states, int namespace) implements Operation {
        @Override
        public String apply(KeyedJob job) {
            List<StateSpec> specs = states.stream().map(job.scenario().states()::get).toList();
            Object wanted = specs.get(0).namespaces().namespace(namespace);
            List<String> names = specs.stream().map(StateSpec::name).toList();
            return collect(job, instance -> instance.backend().getKeys(names, wanted));
        }
    }

    record KeysAndNamespaces(int state) implements Operation {
        @Override
        public String apply(KeyedJob job) {
            StateSpec spec = job.scenario().states().get(state);
            return collect(job, instance -> instance.places(spec).stream());
        }
    }

    /**
     * Asks for the number of entries.
     *
     * @param userKeys whether the subject counts each user key of a map, as the RocksDB backend
     *     does, or each map, as the heap backend does
     */
    record CountEntries(boolean userKeys) implements Operation {
        @Override
        public String apply(KeyedJob job) {
            long entries = 0;
            for (JobInstance instance : job.instances()) {
                entries += instance.backend().numKeyValueStateEntries();
            }
            return String.valueOf(entries);
        }

        @Override
        public String replay(KeyedJob model, Object subjectOutcome) throws Exception {
            return userKeys ? String.valueOf(countUserKeys(model)) : apply(model);
        }

        @SuppressWarnings("unchecked")
        private static long countUserKeys(KeyedJob model) throws Exception {
            long entries = 0;
            for (JobInstance instance : model.instances()) {
                instance.endRecord();
                for (StateSpec spec : model.scenario().states()) {
                    for (Tuple2<Object, Object> place : instance.places(spec)) {
                        State state = instance.state(spec, place.f0, place.f1);
                        entries +=
                                spec.kind() == StateSpec.Kind.MAP
                                        ? StateAccess.contents((MapState<Object, Object>) state)
                                                .size()
                                        : 1;
                    }
                }
            }
            return entries;
        }
    }

    record Scan() implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            return job.scan();
        }
    }

    /** Visits all keys of a namespace and, by key, reads, clears, replaces or changes the state. */
    record ApplyToAllKeys(int state, int namespace, long recipe) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            StateSpec spec = job.scenario().states().get(state);
            List<String> seen = new ArrayList<>();
            for (JobInstance instance : job.instances()) {
                instance.endRecord();
                applyTo(instance, spec, seen);
                instance.endRecord();
            }
            Collections.sort(seen);
            return seen.toString();
        }

        @SuppressWarnings("unchecked")
        private void applyTo(JobInstance instance, StateSpec spec, List<String> seen)
                throws Exception {
            KeyedStateFunction<Object, State> function =
                    (key, visited) -> {
                        seen.add(Observed.of(key) + "=" + StateAccess.read(spec, visited));
                        switch (Math.floorMod(key.hashCode() + recipe, 4)) {
                            case 0 -> visited.clear();
                            case 1 -> StateAccess.change(spec, visited, recipe);
                            case 2 -> StateAccess.replace(spec, visited, recipe);
                            default -> seen.add("left");
                        }
                    };
            instance.backend()
                    .applyToAllKeys(
                            spec.namespaces().namespace(namespace),
                            spec.namespaces().serializer(),
                            (StateDescriptor<State, Object>) spec.descriptor(),
                            function);
        }
    }
}
