/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import io.strata.flink.StrataStateBackend;
import java.io.File;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.state.State;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.checkpoint.StateAssignmentOperation;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.ConfigurableStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.KeyedStateBackendParametersImpl;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.internal.InternalKvState;
import org.apache.flink.runtime.util.TestingTaskManagerRuntimeInfo;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;

/** A keyed operator with its parallel instances, on any state backend. */
final class WrittenOperator implements AutoCloseable {

    private static final long MANAGED_BYTES = 16 << 20;
    private static final String TIMERS = "_timer_state/event_test";

    private final Setup setup;
    private final MockEnvironment environment;
    private final List<AbstractKeyedStateBackend<Object>> instances = new ArrayList<>();
    private final Map<String, State> states = new HashMap<>();
    private final Map<
                    Integer,
                    KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<Object, VoidNamespace>>>
            queues = new HashMap<>();

    /**
     * What operators have in common that are compared.
     *
     * @param clock the time of state with a time to live
     * @param directory for local files
     */
    record Setup(
            WrittenKeys keys,
            int maxParallelism,
            boolean compression,
            AtomicLong clock,
            File directory) {}

    /** A change of one state, or of the timers where there is no state. */
    record Change(WrittenState state, int key, int namespace, long recipe, boolean nullValues) {}

    /** Other backends leave out what has expired, as Strata does, only when asked to. */
    private final boolean cleaned;

    WrittenOperator(
            Setup setup,
            ConfigurableStateBackend backend,
            int parallelism,
            List<KeyedStateHandle> restored)
            throws Exception {
        this.setup = setup;
        this.cleaned = !(backend instanceof StrataStateBackend);
        ExecutionConfig config = new ExecutionConfig();
        config.setUseSnapshotCompression(setup.compression());
        String[] directories = {setup.directory().getPath()};
        environment =
                new MockEnvironmentBuilder()
                        .setManagedMemorySize(MANAGED_BYTES)
                        .setExecutionConfig(config)
                        .setTaskManagerRuntimeInfo(
                                new TestingTaskManagerRuntimeInfo(
                                        new Configuration(),
                                        directories,
                                        "localhost",
                                        setup.directory()))
                        .build();
        for (int i = 0; i < parallelism; i++) {
            instances.add(start(backend, i, parallelism, restored));
        }
    }

    private AbstractKeyedStateBackend<Object> start(
            ConfigurableStateBackend backend,
            int index,
            int parallelism,
            List<KeyedStateHandle> restored)
            throws Exception {
        KeyGroupRange keyGroups =
                KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
                        setup.maxParallelism(), parallelism, index);
        List<KeyedStateHandle> own = new ArrayList<>();
        StateAssignmentOperation.extractIntersectingState(restored, keyGroups, own);
        return (AbstractKeyedStateBackend<Object>)
                backend.createKeyedStateBackend(
                        new KeyedStateBackendParametersImpl<>(
                                environment,
                                new JobID(),
                                "operator-" + index,
                                setup.keys().serializer(),
                                setup.maxParallelism(),
                                keyGroups,
                                environment.getTaskKvStateRegistry(),
                                () -> setup.clock().get(),
                                new UnregisteredMetricsGroup(),
                                (name, value) -> {},
                                own,
                                new CloseableRegistry(),
                                1.0 / parallelism));
    }

    List<AbstractKeyedStateBackend<Object>> instances() {
        return instances;
    }

    void register(WrittenState state) throws Exception {
        for (int i = 0; i < instances.size(); i++) {
            state(state, i);
        }
    }

    void apply(Change change) throws Exception {
        if (change.state() == null) {
            addTimer(setup.keys().key(change.key()), change.recipe());
        } else {
            State state = at(change.state(), change.key(), change.namespace());
            change.state().change(state, change.recipe(), change.nullValues());
        }
    }

    /** Returns a state, set to a key and namespace. */
    @SuppressWarnings("unchecked")
    State at(WrittenState state, int keyNumber, int namespace) throws Exception {
        Object key = setup.keys().key(keyNumber);
        int instance = instanceOf(key);
        instances.get(instance).setCurrentKey(key);
        State found = state(state, instance);
        ((InternalKvState<?, Object, ?>) found).setCurrentNamespace(state.namespace(namespace));
        return found;
    }

    private State state(WrittenState state, int instance) throws Exception {
        String id = instance + state.name();
        if (!states.containsKey(id)) {
            states.put(
                    id,
                    instances
                            .get(instance)
                            .getOrCreateKeyedState(
                                    state.namespaceSerializer(), state.descriptor(cleaned)));
        }
        return states.get(id);
    }

    private int instanceOf(Object key) {
        return KeyGroupRangeAssignment.assignKeyToParallelOperator(
                key, setup.maxParallelism(), instances.size());
    }

    void addTimer(Object key, long timestamp) {
        timers(instanceOf(key))
                .add(new TimerHeapInternalTimer<>(timestamp, key, VoidNamespace.INSTANCE));
    }

    private KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<Object, VoidNamespace>> timers(
            int instance) {
        return queues.computeIfAbsent(
                instance,
                i ->
                        instances
                                .get(i)
                                .create(
                                        TIMERS,
                                        new TimerSerializer<>(
                                                setup.keys().serializer(),
                                                VoidNamespaceSerializer.INSTANCE)));
    }

    /** Reads all states at all places that have something, and the timers. */
    Map<String, String> read(List<WrittenState> all, int keys, boolean timers) throws Exception {
        Map<String, String> contents = new TreeMap<>();
        for (WrittenState state : all) {
            for (int key = 0; key < keys; key++) {
                for (int namespace = 0; namespace < state.namespaces(); namespace++) {
                    String content = state.read(at(state, key, namespace));
                    if (!content.isEmpty()) {
                        contents.put(state.name() + " " + key + " " + namespace, content);
                    }
                }
            }
        }
        if (timers) {
            contents.put("timers", readTimers().toString());
        }
        return contents;
    }

    private TreeSet<String> readTimers() throws Exception {
        TreeSet<String> found = new TreeSet<>();
        for (int i = 0; i < instances.size(); i++) {
            try (var iterator = timers(i).iterator()) {
                while (iterator.hasNext()) {
                    found.add(iterator.next().toString());
                }
            }
        }
        return found;
    }

    /** Begins a canonical savepoint of all instances: the synchronous parts. */
    List<RunnableFuture<SnapshotResult<KeyedStateHandle>>> begin(CheckpointStreamFactory streams)
            throws Exception {
        List<RunnableFuture<SnapshotResult<KeyedStateHandle>>> parts = new ArrayList<>();
        for (AbstractKeyedStateBackend<Object> instance : instances) {
            parts.add(CanonicalSavepoints.begin(instance, streams));
        }
        return parts;
    }

    /** Takes a whole canonical savepoint in memory. */
    List<KeyedStateHandle> savepoint() throws Exception {
        return CanonicalSavepoints.finish(begin(CanonicalSavepoints.inMemory()));
    }

    int entries() {
        return instances.stream()
                .mapToInt(AbstractKeyedStateBackend::numKeyValueStateEntries)
                .sum();
    }

    @Override
    public void close() throws Exception {
        for (AbstractKeyedStateBackend<Object> instance : instances) {
            instance.close();
            instance.dispose();
        }
        environment.close();
    }
}
