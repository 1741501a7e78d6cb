/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import io.strata.flink.checkpoint.snapshot.StrataSnapshotStrategy;
import io.strata.flink.checkpoint.transfer.RestoreStats;
import io.strata.flink.engine.StoreStats;
import io.strata.flink.engine.TieredStore;
import io.strata.flink.savepoint.SavepointSnapshot;
import io.strata.flink.savepoint.SavepointSource;
import io.strata.flink.state.StrataStates;
import io.strata.flink.timers.HeapTimers;
import io.strata.flink.ttl.EventTime;
import io.strata.flink.ttl.EventTimeClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RunnableFuture;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.Keyed;
import org.apache.flink.runtime.state.KeyedStateFunction;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.PriorityComparable;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.SavepointResources;
import org.apache.flink.runtime.state.SnapshotExecutionType;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.SnapshotStrategyRunner;
import org.apache.flink.runtime.state.StateSnapshotTransformer.StateSnapshotTransformFactory;
import org.apache.flink.runtime.state.heap.HeapPriorityQueueElement;
import org.apache.flink.runtime.state.internal.InternalKvState;
import org.apache.flink.runtime.state.metrics.MetricsTrackingStateFactory;
import org.apache.flink.runtime.state.ttl.TtlStateFactory;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.apache.flink.util.FlinkRuntimeException;
import org.apache.flink.util.ResourceGuard;
import org.apache.flink.util.StateMigrationException;

/**
 * The keyed state of one operator in one task.
 *
 * <p>This class only joins the parts: states over the tables of the engine, timers, checkpoints.
 * Whenever a key is selected, the work on one record is over and the store may flush, install and
 * evict. Task thread only, but for the notifications and futures that Flink documents otherwise.
 */
public class StrataKeyedStateBackend<K> extends AbstractKeyedStateBackend<K> {

    /** What {@link #getBackendTypeIdentifier} says. */
    static final String TYPE = "strata";

    private final TieredStore store;
    private final StateRegistry registry;
    private final CarriedStates carriedStates;
    private final StrataStates<K> states;
    private final HeapTimers timers;
    private final StrataSnapshotStrategy<K> checkpoints;
    private final ResourceGuard inUse;
    private final BackendResources resources;
    private final RestoreStats restoreStats;
    @Nullable private final EventTimeAdvance eventTime;
    @Nullable private final EventTimeStates eventTimeStates;
    private final String operator;
    private final ExecutionConfig executionConfig;
    private boolean disposed;

    StrataKeyedStateBackend(FlinkContext<K> flink, BackendParts<K> parts) {
        super(
                flink.kvStateRegistry(),
                flink.keySerializer(),
                flink.userClassLoader(),
                flink.executionConfig(),
                flink.ttlTimeProvider(),
                flink.latencyTracking(),
                flink.sizeTracking(),
                flink.cancellation(),
                flink.keyGroupCompression(),
                flink.keyContext());
        this.operator = flink.operator();
        this.executionConfig = flink.executionConfig();
        this.store = parts.store();
        this.registry = parts.registry();
        this.carriedStates = new CarriedStates(registry, store);

        this.timers = parts.timers();
        this.checkpoints = parts.checkpoints();
        this.inUse = parts.inUse();
        this.resources = parts.resources();
        this.restoreStats = parts.restoreStats();
        this.eventTime = parts.eventTime();
        EventTimeClock clock = eventTime == null ? null : eventTime.clock();
        this.states =
                new StrataStates<>(
                        store,
                        flink.keyContext(),
                        flink.keySerializer(),
                        flink.ttlTimeProvider(),
                        registry::readers);
        this.eventTimeStates =
                clock == null ? null : new EventTimeStates(clock, states::currentNamespace);
    }

    // ---- keys ----

    @Override
    public void setCurrentKey(K newKey) {
        store.recordBoundary();
        super.setCurrentKey(newKey);
    }

    @Override
    public void setCurrentKeyAndKeyGroup(K newKey, int newKeyGroupIndex) {
        store.recordBoundary();
        super.setCurrentKeyAndKeyGroup(newKey, newKeyGroupIndex);
    }

    /** {@inheritDoc} The stream is lazy, bounded in memory and tolerates changes meanwhile. */
    @Override
    public <N> Stream<K> getKeys(String state, N namespace) {
        return this.<N>getKeysAndNamespaces(state)
                .filter(entry -> entry.f1.equals(namespace))
                .map(entry -> entry.f0);
    }

    @Override
    public <N> Stream<K> getKeys(List<String> stateNames, N namespace) {
        List<String> before = new ArrayList<>();
        Stream<K> keys = Stream.empty();
        for (String state : stateNames) {
            List<String> earlier = List.copyOf(before);
            keys =
                    Stream.concat(
                            keys,
                            getKeys(state, namespace)
                                    .filter(key -> !isInAny(earlier, key, namespace)));
            before.add(state);
        }
        return keys;
    }

    private <N> boolean isInAny(List<String> stateNames, K key, N namespace) {
        for (String state : stateNames) {
            RegisteredKeyValueStateBackendMetaInfo<N, Object> metaInfo = registry.get(state);
            try {
                if (metaInfo != null && states.contains(metaInfo, key, namespace)) {
                    return true;
                }
            } catch (IOException e) {
                throw new FlinkRuntimeException("Cannot read state '" + state + "'", e);
            }
        }
        return false;
    }

    @Override
    public <N> Stream<Tuple2<K, N>> getKeysAndNamespaces(String state) {
        RegisteredKeyValueStateBackendMetaInfo<N, Object> metaInfo = registry.get(state);
        if (metaInfo == null) {
            return Stream.empty();
        }
        try {
            return EntryStream.of(state, states.cursor(metaInfo));
        } catch (IOException e) {
            throw new FlinkRuntimeException("Cannot read state '" + state + "'", e);
        }
    }

    /**
     * {@inheritDoc} The function may change any state, also clear what it is called for: keys are
     * found one after another, never collected.
     */
    @Override
    public <N, S extends State, T> void applyToAllKeys(
            N namespace,
            TypeSerializer<N> namespaceSerializer,
            StateDescriptor<S, T> stateDescriptor,
            KeyedStateFunction<K, S> function,
            PartitionStateFactory partitionStateFactory)
            throws Exception {
        try (Stream<K> keys = getKeys(stateDescriptor.getName(), namespace)) {
            S state = partitionStateFactory.get(namespace, namespaceSerializer, stateDescriptor);
            for (var iterator = keys.iterator(); iterator.hasNext(); ) {
                K key = iterator.next();
                setCurrentKey(key);
                function.process(key, state);
            }
        }
    }

    // ---- states and timers ----

    /** {@inheritDoc} For {@link EventTimeTtl} it is the way to this backend, and no state. */
    @Override
    public <N, S extends State> S getPartitionedState(
            N namespace, TypeSerializer<N> namespaceSerializer, StateDescriptor<S, ?> descriptor)
            throws Exception {
        if (descriptor instanceof EventTimeTtl.Descriptor request) {
            request.bind(eventTime);
            return null;
        }
        return super.getPartitionedState(namespace, namespaceSerializer, descriptor);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <N, S extends State, V> S getOrCreateKeyedState(
            TypeSerializer<N> namespaceSerializer, StateDescriptor<S, V> descriptor)
            throws Exception {
        if (eventTimeStates == null || !EventTimeStates.areThese(namespaceSerializer, descriptor)) {
            return super.getOrCreateKeyedState(namespaceSerializer, descriptor);
        }
        return (S)
                eventTimeStates.getOrCreate(
                        descriptor.getName(),
                        time -> create(namespaceSerializer, descriptor, time));
    }

    /** Makes a state as the superclass does, but by another clock. */
    private <N, S extends State, V> State create(
            TypeSerializer<N> namespaceSerializer,
            StateDescriptor<S, V> descriptor,
            TtlTimeProvider time)
            throws Exception {
        descriptor.initializeSerializerUnlessSet(executionConfig);
        InternalKvState<K, ?, ?> state =
                MetricsTrackingStateFactory.createStateAndWrapWithMetricsTrackingIfEnabled(
                        TtlStateFactory.createStateAndWrapWithTtlIfEnabled(
                                namespaceSerializer, descriptor, this, time),
                        this,
                        descriptor,
                        latencyTrackingStateConfig,
                        sizeTrackingStateConfig);
        publishQueryableStateIfEnabled(descriptor, state);
        return state;
    }

    @Override
    public <N, SV, SEV, S extends State, IS extends S> IS createOrUpdateInternalState(
            TypeSerializer<N> namespaceSerializer,
            StateDescriptor<S, SV> stateDesc,
            StateSnapshotTransformFactory<SEV> snapshotTransformFactory)
            throws Exception {
        return createOrUpdateInternalState(
                namespaceSerializer, stateDesc, snapshotTransformFactory, false);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <N, SV, SEV, S extends State, IS extends S> IS createOrUpdateInternalState(
            TypeSerializer<N> namespaceSerializer,
            StateDescriptor<S, SV> stateDesc,
            StateSnapshotTransformFactory<SEV> snapshotTransformFactory,
            boolean allowFutureMetadataUpdates)
            throws Exception {
        try {
            RegisteredKeyValueStateBackendMetaInfo<N, SV> metaInfo =
                    registry.register(
                            namespaceSerializer,
                            stateDesc,
                            (StateSnapshotTransformFactory<SV>) snapshotTransformFactory,
                            allowFutureMetadataUpdates);
            return states.createOrUpdate(stateDesc, metaInfo);
        } catch (StateMigrationException e) {
            throw new StateMigrationException(
                    "Operator %s: %s".formatted(operator, e.getMessage()), e);
        }
    }

    @Override
    public <T extends HeapPriorityQueueElement & PriorityComparable<? super T> & Keyed<?>>
            KeyGroupedInternalPriorityQueue<T> create(
                    String stateName, TypeSerializer<T> byteOrderedElementSerializer) {
        return timers.create(stateName, byteOrderedElementSerializer, false);
    }

    @Override
    public <T extends HeapPriorityQueueElement & PriorityComparable<? super T> & Keyed<?>>
            KeyGroupedInternalPriorityQueue<T> create(
                    String stateName,
                    TypeSerializer<T> byteOrderedElementSerializer,
                    boolean allowFutureMetadataUpdates) {
        return timers.create(stateName, byteOrderedElementSerializer, allowFutureMetadataUpdates);
    }

    /**
     * {@inheritDoc} False: what a state returns is the live object of the hot tier, and changing it
     * without an update would be kept or lost depending on whether it is evicted.
     */
    @Override
    public boolean isSafeToReuseKVState() {
        return false;
    }

    // ---- checkpoints ----

    @Override
    public RunnableFuture<SnapshotResult<KeyedStateHandle>> snapshot(
            long checkpointId,
            long timestamp,
            CheckpointStreamFactory streamFactory,
            CheckpointOptions checkpointOptions)
            throws Exception {
        carriedStates.tellOnce();
        return new SnapshotStrategyRunner<>(
                        "Strata checkpoint",
                        checkpoints,
                        cancelStreamRegistry,
                        SnapshotExecutionType.ASYNCHRONOUS)
                .snapshot(checkpointId, timestamp, streamFactory, checkpointOptions);
    }

    /**
     * {@inheritDoc} A copy of runs, made by one of Flink's snapshot threads: the task goes on, and
     * no user object is made.
     */
    @Override
    public SavepointResources<K> savepoint() throws IOException {
        carriedStates.tellOnce();
        SavepointSource<K> source =
                new SavepointSource<>(
                        store,
                        timers,
                        savedStates(),
                        keySerializer,
                        keyGroupRange,
                        numberOfKeyGroups,
                        keyGroupCompressionDecorator,
                        eventTime == null ? EventTime.NONE : eventTime.clock().now(),
                        inUse);
        return new SavepointResources<>(
                SavepointSnapshot.take(source), SnapshotExecutionType.ASYNCHRONOUS);
    }

    private List<SavepointSource.State> savedStates() {
        List<SavepointSource.State> saved = new ArrayList<>();
        for (RegistryEntry state : registry.all()) {
            saved.add(
                    new SavepointSource.State(
                            state.metaInfo(),
                            state.snapshot(),
                            state.rules(store.schemaIds(state.metaInfo().getName()))));
        }
        return saved;
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
        checkpoints.notifyCheckpointComplete(checkpointId);
    }

    @Override
    public void notifyCheckpointAborted(long checkpointId) {
        checkpoints.notifyCheckpointAborted(checkpointId);
    }

    // ---- end ----

    /**
     * Cancels running checkpoints, then gives back segments, memory, threads and the local
     * directory (I10). More than once is harmless.
     */
    @Override
    public void dispose() {
        super.dispose();
        if (disposed) {
            return;
        }
        disposed = true;
        // Waits for checkpoints that are being cancelled: they still read segments.
        inUse.close();
        try {
            store.close();
        } finally {
            resources.close();
        }
    }

    // ---- information ----

    @Override
    public String getBackendTypeIdentifier() {
        return TYPE;
    }

    /** Returns the restored states that nobody registered, with their sizes, in words. */
    String carriedStates() {
        return carriedStates.describe().orElse("");
    }

    /** Returns the counters of the store; any thread may call. */
    public StoreStats stats() {
        return store.stats();
    }

    /** Returns how often the heap budget was lowered for want of heap; any thread may call. */
    long heapBudgetShrinks() {
        return resources.process().memory().shrinks();
    }

    /** Returns what it cost to restore the backend; any thread may call. */
    public RestoreStats restoreStats() {
        return restoreStats;
    }

    @Override
    public int numKeyValueStateEntries() {
        long entries = 0;
        try {
            for (RegistryEntry state : registry.all()) {
                entries += states.countEntries(state.metaInfo());
            }
        } catch (IOException e) {
            throw new FlinkRuntimeException("Cannot count the entries", e);
        }
        return Math.toIntExact(entries);
    }

    @Override
    public String toString() {
        return "StrataKeyedStateBackend{" + keyGroupRange + "}";
    }
}
