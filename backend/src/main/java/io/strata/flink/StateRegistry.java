/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.StateSnapshotTransformer.StateSnapshotTransformFactory;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.util.StateMigrationException;

/**
 * Flink's meta info of every keyed state of one backend: of those that the job registered, and of
 * those that a checkpoint brought and nobody has asked for, which are carried on. Task thread only.
 */
final class StateRegistry {

    private final Map<String, RegisteredKeyValueStateBackendMetaInfo<?, ?>> states =
            new LinkedHashMap<>();

    /** Tells whether a state has any entry, read with the serializers that wrote it. */
    @FunctionalInterface
    interface EmptyCheck {
        boolean isEmpty(RegisteredKeyValueStateBackendMetaInfo<?, ?> metaInfo) throws Exception;
    }

    /** Takes over the states of a checkpoint. */
    void restore(Collection<StateMetaInfoSnapshot> restored) {
        for (StateMetaInfoSnapshot state : restored) {
            states.put(state.getName(), new RegisteredKeyValueStateBackendMetaInfo<>(state));
        }
    }

    /** Returns the meta info of a state, or null when there is no such state. */
    @Nullable
    @SuppressWarnings("unchecked")
    <N> RegisteredKeyValueStateBackendMetaInfo<N, Object> get(String name) {
        return (RegisteredKeyValueStateBackendMetaInfo<N, Object>) states.get(name);
    }

    /** Returns the meta info of all states. */
    Collection<RegisteredKeyValueStateBackendMetaInfo<?, ?>> all() {
        return states.values();
    }

    /** Returns what a checkpoint writes about all states. */
    List<StateMetaInfoSnapshot> snapshot() {
        return states.values().stream()
                .map(RegisteredKeyValueStateBackendMetaInfo::snapshot)
                .toList();
    }

    /**
     * Registers a state, new or restored.
     *
     * @param allowFutureUpdates whether the state may be registered once more, with other
     *     serializers
     * @throws StateMigrationException if the serializers cannot read what was restored; the message
     *     names the state and both serializers
     */
    <N, V> RegisteredKeyValueStateBackendMetaInfo<N, V> register(
            TypeSerializer<N> namespaceSerializer,
            StateDescriptor<?, V> descriptor,
            StateSnapshotTransformFactory<V> transformFactory,
            boolean allowFutureUpdates,
            EmptyCheck emptyCheck)
            throws Exception {
        RegisteredKeyValueStateBackendMetaInfo<N, V> metaInfo = known(descriptor);
        if (metaInfo == null) {
            metaInfo =
                    new RegisteredKeyValueStateBackendMetaInfo<>(
                            descriptor.getType(),
                            descriptor.getName(),
                            namespaceSerializer,
                            descriptor.getSerializer(),
                            transformFactory);
        } else {
            update(metaInfo, namespaceSerializer, descriptor, emptyCheck);
            metaInfo.updateSnapshotTransformFactory(transformFactory);
        }
        if (allowFutureUpdates) {
            metaInfo = metaInfo.withSerializerUpgradesAllowed();
        }
        states.put(descriptor.getName(), metaInfo);
        return metaInfo;
    }

    @SuppressWarnings("unchecked")
    private <N, V> RegisteredKeyValueStateBackendMetaInfo<N, V> known(
            StateDescriptor<?, V> descriptor) {
        return (RegisteredKeyValueStateBackendMetaInfo<N, V>) states.get(descriptor.getName());
    }

    private static <N, V> void update(
            RegisteredKeyValueStateBackendMetaInfo<N, V> metaInfo,
            TypeSerializer<N> namespaceSerializer,
            StateDescriptor<?, V> descriptor,
            EmptyCheck emptyCheck)
            throws Exception {
        metaInfo.checkStateMetaInfo(descriptor);
        RegisteredKeyValueStateBackendMetaInfo<N, V> before =
                new RegisteredKeyValueStateBackendMetaInfo<>(metaInfo.snapshot());
        TypeSerializerSchemaCompatibility<N> namespaces =
                metaInfo.updateNamespaceSerializer(namespaceSerializer);
        TypeSerializer<V> valueSerializer = descriptor.getSerializer();
        TypeSerializerSchemaCompatibility<V> values =
                metaInfo.updateStateSerializer(valueSerializer);
        refuseUnreadable(
                namespaces,
                "namespace",
                before,
                before.getNamespaceSerializer(),
                namespaceSerializer,
                emptyCheck);
        refuseUnreadable(
                values, "state", before, before.getStateSerializer(), valueSerializer, emptyCheck);
    }

    /** Migration needs old and new serializer side by side; without data there is none to do. */
    private static void refuseUnreadable(
            TypeSerializerSchemaCompatibility<?> compatibility,
            String kind,
            RegisteredKeyValueStateBackendMetaInfo<?, ?> before,
            TypeSerializer<?> oldSerializer,
            TypeSerializer<?> newSerializer,
            EmptyCheck emptyCheck)
            throws Exception {
        if (compatibility.isIncompatible()) {
            throw new StateMigrationException(
                    "State '%s': the new %s serializer (%s) cannot read what the old one (%s) wrote."
                            .formatted(before.getName(), kind, newSerializer, oldSerializer));
        }
        if (compatibility.isCompatibleAfterMigration() && !emptyCheck.isEmpty(before)) {
            throw new StateMigrationException(
                    "State '%s': the new %s serializer (%s) reads what the old one (%s) wrote only after a migration, which this version does not do yet. Keep the old serializer, or give the state another name."
                            .formatted(before.getName(), kind, newSerializer, oldSerializer));
        }
    }
}
