/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.engine.EntryCursor;
import io.strata.flink.engine.TieredStore;

import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.InternalKeyContext;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.util.FlinkRuntimeException;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All states of one keyed backend: opens the table of a registered state when it is first asked
 * for, and makes and updates the state objects. Task thread only.
 *
 * <p>The meta information given decides about the serializers. Given again for the same state, it
 * must hold serializers that Flink found compatible with the earlier ones.
 *
 * @param <K> the key
 */
public final class StrataStates<K> {

    private final StateContext<K> context;
    private final Map<String, StateTable<K, ?, ?>> tables = new HashMap<>();
    private final Map<String, StrataState<K, ?, ?>> states = new HashMap<>();

    /**
     * Creates it without any state.
     *
     * @param store holds the state; the caller closes it
     * @param keyContext knows the current key
     * @param keySerializer writes the keys, on the task thread
     */
    public StrataStates(
            TieredStore store, InternalKeyContext<K> keyContext, TypeSerializer<K> keySerializer) {
        this.context = new StateContext<>(store, keyContext, keySerializer);
    }

    /**
     * Returns the state object for a descriptor, always the same one for the same name.
     *
     * @param descriptor its serializer is not used, its functions and default value are
     * @param metaInfo the serializers to use from now on
     * @throws FlinkRuntimeException when the kind of state is not supported
     */
    @SuppressWarnings("unchecked")
    public <N, SV, S extends State, IS extends S> IS createOrUpdate(
            StateDescriptor<S, SV> descriptor,
            RegisteredKeyValueStateBackendMetaInfo<N, SV> metaInfo) {
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
        return table(metaInfo).cursor();
    }

    /** Counts the (key, namespace) pairs of a state. */
    public long countEntries(RegisteredKeyValueStateBackendMetaInfo<?, ?> metaInfo)
            throws IOException {
        return table(metaInfo).countEntries();
    }

    @SuppressWarnings("unchecked")
    private <N, SV> StateTable<K, N, SV> table(
            RegisteredKeyValueStateBackendMetaInfo<N, SV> metaInfo) {
        StateTable<K, N, SV> table = (StateTable<K, N, SV>) tables.get(metaInfo.getName());
        if (table == null) {
            table = newTable(metaInfo);
            tables.put(metaInfo.getName(), table);
        } else {
            table.update(metaInfo.getNamespaceSerializer(), metaInfo.getStateSerializer());
        }
        return table;
    }

    @SuppressWarnings("unchecked")
    private <N, SV> StateTable<K, N, SV> newTable(
            RegisteredKeyValueStateBackendMetaInfo<N, SV> metaInfo) {
        String name = metaInfo.getName();
        TieredStore store = context.store();
        TypeSerializer<SV> serializer = metaInfo.getStateSerializer();
        FlinkKeyCodec<K, N> keys =
                new FlinkKeyCodec<>(
                        context.keyContext().getNumberOfKeyGroups(),
                        context.keySerializer(),
                        metaInfo.getNamespaceSerializer());
        return switch (metaInfo.getStateType()) {
            case VALUE, REDUCING, AGGREGATING ->
                    new ValueStateTable<>(store, name, keys, serializer);
            case LIST ->
                    (StateTable<K, N, SV>)
                            new ListStateTable<>(
                                    store, name, keys, (TypeSerializer<List<Object>>) serializer);
            case MAP ->
                    (StateTable<K, N, SV>)
                            newMapTable(
                                    name, keys, (TypeSerializer<Map<Object, Object>>) serializer);
            default -> throw unsupported(name, metaInfo.getStateType());
        };
    }

    private <N, UK, UV> MapStateTable<K, N, UK, UV> newMapTable(
            String name, FlinkKeyCodec<K, N> keys, TypeSerializer<Map<UK, UV>> serializer) {
        FlinkMapKeyCodec<K, N, UK> mapKeys =
                new FlinkMapKeyCodec<>(
                        keys.keyGroupsInJob,
                        keys.keySerializer,
                        keys.namespaceSerializer,
                        MapStateTable.mapSerializer(serializer).getKeySerializer());
        return new MapStateTable<>(context.store(), name, mapKeys, serializer);
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
