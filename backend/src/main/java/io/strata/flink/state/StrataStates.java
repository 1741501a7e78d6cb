/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.engine.EntryCursor;
import io.strata.flink.engine.TieredStore;
import io.strata.flink.schema.SchemaReaders;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.InternalKeyContext;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.apache.flink.util.FlinkRuntimeException;

/**
 * All states of one keyed backend: opens the table of a registered state when it is first asked
 * for, and makes and updates the state objects. Task thread only.
 *
 * <p>The meta information given decides about the serializers. Given again for the same state, it
 * must hold serializers that Flink found compatible with the earlier ones; what those wrote is then
 * read through the state's {@link SchemaReaders}.
 *
 * @param <K> the key
 */
public final class StrataStates<K> {

    private final StateContext<K> context;
    private final Map<String, StateTable<K, ?, ?>> tables = new HashMap<>();
    private final Map<String, StrataState<K, ?, ?>> states = new HashMap<>();

    /** By state, for those that expire. */
    private final Map<String, TimeToLive> timesToLive = new HashMap<>();

    /**
     * Creates it without any state.
     *
     * @param store holds the state; the caller closes it
     * @param keyContext knows the current key
     * @param keySerializer writes the keys, on the task thread
     * @param ttlClock says when values expire; never goes backwards, and any thread may ask it
     * @param schemas knows how the values of a state are read, by its name
     */
    public StrataStates(
            TieredStore store,
            InternalKeyContext<K> keyContext,
            TypeSerializer<K> keySerializer,
            TtlTimeProvider ttlClock,
            Function<String, SchemaReaders> schemas) {
        this.context = new StateContext<>(store, keyContext, keySerializer, ttlClock, schemas);
    }

    /** Creates it for states whose serializers never change. */
    StrataStates(
            TieredStore store,
            InternalKeyContext<K> keyContext,
            TypeSerializer<K> keySerializer,
            TtlTimeProvider ttlClock) {
        this(store, keyContext, keySerializer, ttlClock, SchemaReaders::unversioned);
    }

    /**
     * Returns the state object for a descriptor, always the same one for the same name.
     *
     * @param descriptor its serializer is not used; its functions, default value and TTL are
     * @param metaInfo the serializers to use from now on
     * @throws FlinkRuntimeException when the kind of state is not supported
     */
    @SuppressWarnings("unchecked")
    public <N, SV, S extends State, IS extends S> IS createOrUpdate(
            StateDescriptor<S, SV> descriptor,
            RegisteredKeyValueStateBackendMetaInfo<N, SV> metaInfo) {
        // a TTL given now counts for what was written before, too
        timesToLive.put(
                metaInfo.getName(),
                TimeToLive.of(
                        descriptor.getTtlConfig(),
                        metaInfo.getStateSerializer(),
                        context.ttlClock()));
        StateTable<K, N, SV> table = table(metaInfo);
        StrataState<K, N, SV> state =
                (StrataState<K, N, SV>)
                        states.computeIfAbsent(
                                metaInfo.getName(), name -> newState(descriptor, name, table));
        state.update(descriptor, metaInfo);
        return (IS) state;
    }

    /**
     * Walks over the (key, namespace) pairs of a state, whether or not it has a state object yet.
     */
    public <N> EntryCursor<K, N> cursor(RegisteredKeyValueStateBackendMetaInfo<N, ?> metaInfo)
            throws IOException {
        return table(metaInfo).tiered().cursor();
    }

    /** Tells whether a state has anything for a key and namespace. */
    public <N> boolean contains(
            RegisteredKeyValueStateBackendMetaInfo<N, ?> metaInfo, K key, N namespace)
            throws IOException {
        return table(metaInfo).contains(key, namespace);
    }

    /** Counts the (key, namespace) pairs of a state. */
    public long countEntries(RegisteredKeyValueStateBackendMetaInfo<?, ?> metaInfo)
            throws IOException {
        return table(metaInfo).tiered().countEntries();
    }

    /**
     * Returns the namespace that a state works in now; null before it was set, or without state.
     */
    @Nullable
    public Object currentNamespace(String stateName) {
        StrataState<K, ?, ?> state = states.get(stateName);
        return state == null ? null : state.namespace;
    }

    @SuppressWarnings("unchecked")
    private <N, SV> StateTable<K, N, SV> table(
            RegisteredKeyValueStateBackendMetaInfo<N, SV> metaInfo) {
        StateSerializers<K, N, SV> serializers =
                new StateSerializers<>(
                        context.keyContext().getNumberOfKeyGroups(),
                        context.keySerializer(),
                        metaInfo.getNamespaceSerializer(),
                        metaInfo.getStateSerializer(),
                        ValueTime.of(context.ttlClock(), timesToLive.get(metaInfo.getName())),
                        context.schemas().apply(metaInfo.getName()));
        StateTable<K, N, SV> table = (StateTable<K, N, SV>) tables.get(metaInfo.getName());
        if (table == null) {
            table = newTable(metaInfo.getName(), metaInfo.getStateType(), serializers);
            tables.put(metaInfo.getName(), table);
        } else {
            table.update(serializers);
        }
        return table;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // the kind decides about the type of the state
    private <N, SV> StateTable<K, N, SV> newTable(
            String name, StateDescriptor.Type kind, StateSerializers<K, N, SV> serializers) {
        TieredStore store = context.store();
        return switch (kind) {
            case VALUE, REDUCING, AGGREGATING -> new ValueStateTable<>(store, name, serializers);
            case LIST -> new ListStateTable(store, name, serializers);
            case MAP -> new MapStateTable(store, name, serializers);
            default -> throw unsupported(name, kind);
        };
    }

    @SuppressWarnings("unchecked")
    private <N> StrataState<K, N, ?> newState(
            StateDescriptor<?, ?> descriptor, String name, StateTable<K, N, ?> table) {
        return switch (descriptor.getType()) {
            case VALUE -> new StrataValueState<>(context, name, (ValueStateTable<K, N, ?>) table);
            case REDUCING ->
                    new StrataReducingState<>(context, name, (ValueStateTable<K, N, ?>) table);
            case AGGREGATING ->
                    new StrataAggregatingState<>(context, name, (ValueStateTable<K, N, ?>) table);
            case LIST -> new StrataListState<>(context, name, (ListStateTable<K, N, ?>) table);
            case MAP -> new StrataMapState<>(context, name, (MapStateTable<K, N, ?, ?>) table);
            default -> throw unsupported(name, descriptor.getType());
        };
    }

    private static FlinkRuntimeException unsupported(String name, StateDescriptor.Type type) {
        return new FlinkRuntimeException(
                "State '" + name + "': Strata has no keyed state of type " + type + ".");
    }
}
