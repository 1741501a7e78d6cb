/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import static org.apache.flink.util.Preconditions.checkNotNull;

import io.strata.flink.schema.SchemaReaders;
import java.io.IOException;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.queryablestate.client.state.serialization.KvStateSerializer;
import org.apache.flink.runtime.state.InternalKeyContext;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.internal.InternalKvState;
import org.apache.flink.util.FlinkRuntimeException;

/**
 * What all state objects have in common: the current key and namespace, the serializers, and the
 * operations on whole values. Task thread only.
 *
 * @param <K> the key
 * @param <N> the namespace
 * @param <SV> the value, accumulator, list or map
 */
abstract class StrataState<K, N, SV> implements InternalKvState<K, N, SV> {

    private final String name;
    private final InternalKeyContext<K> keyContext;
    private final TypeSerializer<K> keySerializer;
    private final StateTable<K, N, SV> table;
    private TypeSerializer<N> namespaceSerializer;
    private TypeSerializer<SV> valueSerializer;
    private SV defaultValue;
    N namespace;

    StrataState(StateContext<K> context, String name, StateTable<K, N, SV> table) {
        this.name = name;
        this.keyContext = context.keyContext();
        this.keySerializer = context.keySerializer();
        this.table = table;
    }

    /** Takes what a descriptor given now says: serializers, default value, functions. */
    void update(
            StateDescriptor<?, SV> descriptor,
            RegisteredKeyValueStateBackendMetaInfo<N, SV> metaInfo) {
        namespaceSerializer = metaInfo.getNamespaceSerializer();
        valueSerializer = metaInfo.getStateSerializer();
        defaultValue = descriptor.getDefaultValue();
    }

    final K key() {
        K key = keyContext.getCurrentKey();
        if (key == null) {
            throw new NullPointerException(
                    "No key set: state '" + name + "' was used outside of a keyed context.");
        }
        return key;
    }

    /** Returns a private copy of the descriptor's default value, which may be null. */
    final SV defaultValue() {
        return defaultValue == null ? null : valueSerializer.copy(defaultValue);
    }

    @Override
    public void clear() {
        try {
            table.tiered().remove(key(), namespace);
        } catch (IOException e) {
            throw new FlinkRuntimeException("Cannot clear state '" + name + "'", e);
        }
    }

    @Override
    public final void setCurrentNamespace(N namespace) {
        this.namespace = checkNotNull(namespace, "Namespace must not be null.");
    }

    @Override
    public final TypeSerializer<K> getKeySerializer() {
        return keySerializer;
    }

    @Override
    public final TypeSerializer<N> getNamespaceSerializer() {
        return namespaceSerializer;
    }

    @Override
    public final TypeSerializer<SV> getValueSerializer() {
        return valueSerializer;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Of value, reducing and aggregating state any thread may ask, of list and map state only
     * the task thread.
     */
    @Override
    public final byte[] getSerializedValue(
            byte[] serializedKeyAndNamespace,
            TypeSerializer<K> safeKeySerializer,
            TypeSerializer<N> safeNamespaceSerializer,
            TypeSerializer<SV> safeValueSerializer)
            throws Exception {
        checkNotNull(serializedKeyAndNamespace);
        checkNotNull(safeValueSerializer);
        Tuple2<K, N> at =
                KvStateSerializer.deserializeKeyAndNamespace(
                        serializedKeyAndNamespace,
                        checkNotNull(safeKeySerializer),
                        checkNotNull(safeNamespaceSerializer));
        StateSerializers<K, N, SV> own =
                new StateSerializers<>(
                        keyContext.getNumberOfKeyGroups(),
                        safeKeySerializer,
                        safeNamespaceSerializer,
                        safeValueSerializer,
                        ValueTime.NONE,
                        SchemaReaders.unversioned(name));
        SV value = table.peek(at.f0, at.f1, own);
        return value == null ? null : table.serialize(value, safeValueSerializer);
    }

    @Override
    public final StateIncrementalVisitor<K, N, SV> getStateIncrementalVisitor(
            int recommendedMaxNumberOfReturnedRecords) {
        return table.hasTimeToLive()
                ? new HotVisitor<>(name, table, recommendedMaxNumberOfReturnedRecords)
                : new StateVisitor<>(name, table, recommendedMaxNumberOfReturnedRecords);
    }
}
