/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import io.strata.flink.schema.SavedSchemas;
import io.strata.flink.schema.Schema;
import io.strata.flink.schema.SchemaReaders;
import io.strata.flink.schema.UserKeys;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import javax.annotation.Nullable;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.StateSnapshotTransformer.StateSnapshotTransformFactory;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.util.StateMigrationException;

/**
 * Flink's meta info of every keyed state of one backend, and the schemas that its values were
 * written in: of the states that the job registered, and of those that a checkpoint brought and
 * nobody has asked for, which are carried on as they are. Task thread only.
 */
final class StateRegistry {

    private final Map<String, RegistryEntry> states = new LinkedHashMap<>();
    private final Function<String, Set<Long>> schemasInUse;
    private final LongSupplier ttlNow;
    private final Set<String> dropped;
    private final ClassLoader userClassLoader;

    /**
     * Creates an empty registry.
     *
     * @param schemasInUse tells by a state's name which schemas its runs have
     * @param ttlNow the time of day in milliseconds, by the clock of times to live
     * @param dropped names of states that are dropped, so that the job must not have them
     * @param userClassLoader loads serializers and values
     */
    StateRegistry(
            Function<String, Set<Long>> schemasInUse,
            LongSupplier ttlNow,
            Set<String> dropped,
            ClassLoader userClassLoader) {
        this.schemasInUse = schemasInUse;
        this.ttlNow = ttlNow;
        this.dropped = dropped;
        this.userClassLoader = userClassLoader;
    }

    /** Takes over the states of a checkpoint. */
    void restore(
            Collection<StateMetaInfoSnapshot> restored, Map<String, SavedSchemas> schemasByState) {
        for (StateMetaInfoSnapshot state : restored) {
            states.put(
                    state.getName(),
                    RegistryEntry.restored(
                            state, schemasByState.get(state.getName()), userClassLoader));
        }
    }

    /** Returns the meta info of a state, or null when there is no such state. */
    @Nullable
    @SuppressWarnings("unchecked")
    <N> RegisteredKeyValueStateBackendMetaInfo<N, Object> get(String name) {
        RegistryEntry entry = states.get(name);
        return entry == null
                ? null
                : (RegisteredKeyValueStateBackendMetaInfo<N, Object>) entry.metaInfo();
    }

    /** Returns all states. */
    Collection<RegistryEntry> all() {
        return states.values();
    }

    /** Returns how the values of a state are read. */
    SchemaReaders readers(String name) {
        return states.get(name).readers();
    }

    /** Returns what a checkpoint writes about all states. */
    List<StateMetaInfoSnapshot> snapshot() {
        return states.values().stream().map(RegistryEntry::snapshot).toList();
    }

    /** Returns the schemas of all states, by name, also of those that are no longer in use. */
    Map<String, SavedSchemas> schemas() {
        Map<String, SavedSchemas> schemas = new LinkedHashMap<>();
        states.forEach((name, entry) -> schemas.put(name, entry.schemas()));
        return schemas;
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
            boolean allowFutureUpdates)
            throws IOException, StateMigrationException {
        String name = descriptor.getName();
        if (dropped.contains(name)) {
            throw new IllegalStateException(
                    "The job has a state '%s', which %s names: it would be lost at every restore. Take its name out of the option, or the state out of the job."
                            .formatted(name, StrataOptions.DROP_STATES.key()));
        }
        RegistryEntry known = states.get(name);
        RegisteredKeyValueStateBackendMetaInfo<N, V> metaInfo;
        if (known == null) {
            metaInfo =
                    new RegisteredKeyValueStateBackendMetaInfo<>(
                            descriptor.getType(),
                            name,
                            namespaceSerializer,
                            descriptor.getSerializer(),
                            transformFactory);
        } else {
            metaInfo = update(known, namespaceSerializer, descriptor);
            metaInfo.updateSnapshotTransformFactory(transformFactory);
        }
        RegistryEntry entry = entry(known, metaInfo, allowFutureUpdates);
        states.put(name, entry);
        return cast(entry.metaInfo());
    }

    private <N, V> RegisteredKeyValueStateBackendMetaInfo<N, V> update(
            RegistryEntry known,
            TypeSerializer<N> namespaceSerializer,
            StateDescriptor<?, V> descriptor)
            throws IOException, StateMigrationException {
        RegisteredKeyValueStateBackendMetaInfo<N, V> metaInfo = cast(known.metaInfo());
        metaInfo.checkStateMetaInfo(descriptor);
        TypeSerializer<N> oldNamespaces = metaInfo.getNamespaceSerializer();
        TypeSerializer<V> oldValues = metaInfo.getStateSerializer();
        TypeSerializerSchemaCompatibility<N> namespaces =
                metaInfo.updateNamespaceSerializer(namespaceSerializer);
        boolean hasData = known.isRegistered() || !schemasInUse.apply(metaInfo.getName()).isEmpty();
        // Namespaces are parts of composite keys, by which entries are found.
        if (namespaces.isIncompatible() || (namespaces.isCompatibleAfterMigration() && hasData)) {
            throw refused(metaInfo.getName(), "namespace", namespaceSerializer, oldNamespaces);
        }
        if (metaInfo.updateStateSerializer(descriptor.getSerializer()).isIncompatible()) {
            throw refused(metaInfo.getName(), "state", descriptor.getSerializer(), oldValues);
        }
        if (hasData) {
            UserKeys.requireSame(
                    metaInfo.getName(),
                    metaInfo.getStateSerializer(),
                    metaInfo.getPreviousStateSerializerSnapshot());
        }
        return metaInfo;
    }

    private static StateMigrationException refused(
            String name, String kind, TypeSerializer<?> now, TypeSerializer<?> before) {
        return new StateMigrationException(
                "State '%s': the new %s serializer (%s) cannot read what the old one (%s) wrote."
                        .formatted(name, kind, now, before));
    }

    /** Finds out how what older serializers wrote is read; nothing is read for it. */
    private RegistryEntry entry(
            @Nullable RegistryEntry known,
            RegisteredKeyValueStateBackendMetaInfo<?, ?> metaInfo,
            boolean allowFutureUpdates)
            throws IOException, StateMigrationException {
        String name = metaInfo.getName();
        TypeSerializer<?> serializer = metaInfo.getStateSerializer();
        Set<Long> used = new HashSet<>(schemasInUse.apply(name));
        if (known != null && known.isRegistered()) {
            // the hot tier may hold, or be flushing, what is nowhere else
            used.add(known.schemas().currentId());
        }
        Map<Long, Schema> schemas = known == null ? new HashMap<>() : used(known, used, serializer);
        Schema current = SchemaReaders.schemaOf(serializer);
        while (schemas.getOrDefault(current.id(), current).ttlSince() != Schema.NO_TIME) {
            current = schemas.get(current.id()).renumbered();
        }
        schemas.putIfAbsent(current.id(), current);
        SchemaReaders readers =
                new SchemaReaders(name, serializer, current.id(), schemas, userClassLoader);
        readers.requireReadable(used);
        return RegistryEntry.registered(
                allowFutureUpdates ? metaInfo.withSerializerUpgradesAllowed() : metaInfo,
                new SavedSchemas(name, current.id(), List.copyOf(schemas.values())),
                readers);
    }

    /**
     * Returns the known schemas that are in use, or may be.
     *
     * <p>Values without a time to live, of a state that has one now, live from the moment of the
     * change on. That moment is noted once, so that a second restore before they are rewritten does
     * not put off their end.
     */
    private Map<Long, Schema> used(
            RegistryEntry known, Set<Long> used, TypeSerializer<?> serializer) throws IOException {
        boolean hasTimeToLive = SchemaReaders.hasTimeToLive(serializer);
        long now = ttlNow.getAsLong();
        Map<Long, Schema> schemas = new LinkedHashMap<>();
        for (Schema schema : known.schemas().schemas()) {
            // of a state registered again, flushes under way may still bring others
            if (used.contains(schema.id()) || known.isRegistered()) {
                schemas.put(
                        schema.id(),
                        schema.whileStateHasTimeToLive(hasTimeToLive, now, userClassLoader));
            }
        }
        return schemas;
    }

    @SuppressWarnings("unchecked") // Flink gives a state's name to one type of state
    private static <N, V> RegisteredKeyValueStateBackendMetaInfo<N, V> cast(
            RegisteredKeyValueStateBackendMetaInfo<?, ?> metaInfo) {
        return (RegisteredKeyValueStateBackendMetaInfo<N, V>) metaInfo;
    }
}
