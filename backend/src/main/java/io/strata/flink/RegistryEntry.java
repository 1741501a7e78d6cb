/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import io.strata.flink.compaction.ValueRules;
import io.strata.flink.schema.SavedSchemas;
import io.strata.flink.schema.Schema;
import io.strata.flink.schema.SchemaReaders;
import io.strata.flink.state.FlinkValueRules;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;

/** What a backend knows of one state, registered or carried on. Task thread only. */
final class RegistryEntry {

    private final RegisteredKeyValueStateBackendMetaInfo<?, ?> metaInfo;
    private final SavedSchemas schemas;
    private final ClassLoader userClassLoader;

    /**
     * What the checkpoint says of a state that nobody registered, else null. Written again as it
     * is: a snapshot made anew would describe the classes of today.
     */
    @Nullable private final StateMetaInfoSnapshot carried;

    /** Null until somebody asks, for a carried state: its classes may be gone. */
    @Nullable private SchemaReaders readers;

    private RegistryEntry(
            RegisteredKeyValueStateBackendMetaInfo<?, ?> metaInfo,
            SavedSchemas schemas,
            ClassLoader userClassLoader,
            @Nullable StateMetaInfoSnapshot carried,
            @Nullable SchemaReaders readers) {
        this.metaInfo = metaInfo;
        this.schemas = schemas;
        this.userClassLoader = userClassLoader;
        this.carried = carried;
        this.readers = readers;
    }

    /** Returns a state that a checkpoint brought. */
    static RegistryEntry restored(
            StateMetaInfoSnapshot state, SavedSchemas schemas, ClassLoader userClassLoader) {
        return new RegistryEntry(
                new RegisteredKeyValueStateBackendMetaInfo<>(state),
                schemas,
                userClassLoader,
                state,
                null);
    }

    /** Returns a state that the job uses. */
    static RegistryEntry registered(
            RegisteredKeyValueStateBackendMetaInfo<?, ?> metaInfo,
            SavedSchemas schemas,
            SchemaReaders readers) {
        return new RegistryEntry(metaInfo, schemas, readers.userClassLoader(), null, readers);
    }

    RegisteredKeyValueStateBackendMetaInfo<?, ?> metaInfo() {
        return metaInfo;
    }

    boolean isRegistered() {
        return carried == null;
    }

    /** Returns all schemas that may be in use. */
    SavedSchemas schemas() {
        return schemas;
    }

    /** Returns what a checkpoint writes about the state. */
    StateMetaInfoSnapshot snapshot() {
        return carried != null ? carried : metaInfo.snapshot();
    }

    /** Returns how the state's values are read. */
    SchemaReaders readers() {
        if (readers == null) {
            Map<Long, Schema> known = new LinkedHashMap<>();
            schemas.schemas().forEach(schema -> known.put(schema.id(), schema));
            readers =
                    new SchemaReaders(
                            metaInfo.getName(),
                            metaInfo.getStateSerializer(),
                            schemas.currentId(),
                            known,
                            userClassLoader);
        }
        return readers;
    }

    /**
     * Returns rules that bring values into the present schema, or let them pass when the runs have
     * only that one.
     */
    ValueRules rules(Set<Long> schemasInUse) {
        boolean isUniform =
                schemasInUse.isEmpty() || schemasInUse.equals(Set.of(schemas.currentId()));
        return isUniform && !isRegistered()
                ? ValueRules.sameSchema(schemas.currentId())
                : new FlinkValueRules(metaInfo.getStateType(), readers(), null);
    }
}
