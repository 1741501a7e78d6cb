/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.schema;

import io.strata.flink.format.key.SchemaIds;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.annotation.Nullable;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.runtime.state.ttl.TtlAwareSerializerSnapshotWrapper;
import org.apache.flink.util.StateMigrationException;
import org.apache.flink.util.TemporaryClassLoaderContext;

/**
 * How the values of one state are read, in whichever schema they were written.
 *
 * <p>Flink decides, schema by schema: the present serializer is asked about the snapshot of the one
 * that wrote. Nothing is rewritten for it. Immutable, and any thread may ask: whatever is handed
 * out is a duplicate, or was restored for the caller (I9).
 */
public final class SchemaReaders {

    private final String stateName;
    private final long currentId;
    private final Map<Long, Schema> known;
    private final ClassLoader userClassLoader;

    /** Used to make duplicates of, by one thread at a time; null when nothing is ever converted. */
    @Nullable private final TypeSerializer<?> current;

    /** The schemas whose bytes are those of the present one. */
    private final Map<Long, Boolean> sameBytes = new ConcurrentHashMap<>();

    /**
     * How values of one schema become ones of the present.
     *
     * @param written reads what was written
     * @param present writes the present schema
     * @param ttlSince see {@link Schema#ttlSince}
     */
    public record Reader(TypeSerializer<?> written, TypeSerializer<?> present, long ttlSince) {}

    /**
     * Creates the readers of a state. Task thread only.
     *
     * @param current the serializer that writes the state now
     * @param currentId its schema
     * @param known all schemas that runs may have
     */
    public SchemaReaders(
            String stateName,
            TypeSerializer<?> current,
            long currentId,
            Map<Long, Schema> known,
            ClassLoader userClassLoader) {
        this.stateName = stateName;
        this.currentId = currentId;
        this.current = PlainSerializers.plain(current).duplicate();
        this.known = Map.copyOf(known);
        this.userClassLoader = userClassLoader;
    }

    private SchemaReaders(String stateName, long currentId) {
        this.stateName = stateName;
        this.currentId = currentId;
        this.current = null;
        this.known = Map.of();
        this.userClassLoader = SchemaReaders.class.getClassLoader();
    }

    /** Returns the readers of a state of which there is one schema and will be no other. */
    public static SchemaReaders unversioned(String stateName) {
        return new SchemaReaders(stateName, SchemaIds.UNVERSIONED);
    }

    /** Returns the schema of a serializer, whatever Flink wrapped around it to compare. */
    public static Schema schemaOf(TypeSerializer<?> serializer) throws IOException {
        return Schema.of(PlainSerializers.plain(serializer).snapshotConfiguration());
    }

    /** Tells whether a serializer writes the times of a time to live. */
    public static boolean hasTimeToLive(TypeSerializer<?> serializer) {
        return PlainSerializers.hasTimeToLive(PlainSerializers.plain(serializer));
    }

    /** Returns the schema that values are written in now. */
    public long currentId() {
        return currentId;
    }

    /** Tells whether the times written with values of a schema are those that they have now. */
    public boolean keepsTimestamps(long id) {
        Schema schema = known.get(id);
        return schema == null || schema.ttlSince() <= Schema.VOID_TIME;
    }

    /** Returns what loads the classes of serializers and values. */
    public ClassLoader userClassLoader() {
        return userClassLoader;
    }

    /**
     * Requires that all of some schemas can be read.
     *
     * @throws StateMigrationException if one cannot, naming the state and both serializers
     */
    public void requireReadable(Collection<Long> ids) throws IOException, StateMigrationException {
        for (long id : ids) {
            if (id != currentId) {
                resolve(id);
            }
        }
    }

    /**
     * Returns how a schema is read, null when its bytes are those of the present one.
     *
     * @throws IOException if it is unknown or cannot be read
     */
    @Nullable
    public Reader reader(long id) throws IOException {
        if (id == currentId || sameBytes.containsKey(id)) {
            return null;
        }
        try {
            return resolve(id);
        } catch (StateMigrationException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Nullable
    private Reader resolve(long id) throws IOException, StateMigrationException {
        Schema schema = known.get(id);
        if (schema == null || current == null) {
            throw new IOException(
                    "State '%s': the checkpoint holds values of schema %016x but does not say what that is."
                            .formatted(stateName, id));
        }
        try (TemporaryClassLoaderContext ignored =
                TemporaryClassLoaderContext.of(userClassLoader)) {
            return resolve(schema, duplicateOfCurrent());
        }
    }

    private synchronized TypeSerializer<?> duplicateOfCurrent() {
        return current.duplicate();
    }

    @Nullable
    @SuppressWarnings({"unchecked", "rawtypes"}) // the compatibility of serializers of one state
    private Reader resolve(Schema schema, TypeSerializer<?> present)
            throws IOException, StateMigrationException {
        TypeSerializerSnapshot now = comparable(present.snapshotConfiguration());
        TypeSerializerSnapshot written = comparable(schema.read(userClassLoader));
        TypeSerializerSchemaCompatibility<?> compatibility =
                now.resolveSchemaCompatibility(written);
        if (compatibility.isIncompatible()) {
            throw incompatible(schema, present);
        }
        boolean isTimedAnew = TimeToLive.isIn(written) && schema.ttlSince() > Schema.VOID_TIME;
        if (compatibility.isCompatibleAsIs() && !isTimedAnew) {
            sameBytes.put(schema.id(), true);
            return null;
        }
        if (!compatibility.isCompatibleWithReconfiguredSerializer()) {
            TypeSerializer<?> restored = schema.read(userClassLoader).restoreSerializer();
            return new Reader(PlainSerializers.plain(restored), present, schema.ttlSince());
        }
        TypeSerializer<?> reader =
                PlainSerializers.plain(compatibility.getReconfiguredSerializer());
        if (writesTheSame(reader, present) && !isTimedAnew) {
            // the present one was reconfigured when it was registered
            sameBytes.put(schema.id(), true);
            return null;
        }
        return new Reader(reader, present, schema.ttlSince());
    }

    static boolean writesTheSame(TypeSerializer<?> one, TypeSerializer<?> other)
            throws IOException {
        return Arrays.equals(
                Schema.bytes(one.snapshotConfiguration()),
                Schema.bytes(other.snapshotConfiguration()));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static TypeSerializerSnapshot<?> comparable(TypeSerializerSnapshot<?> snapshot) {
        return new TtlAwareSerializerSnapshotWrapper(snapshot).getTtlAwareSerializerSnapshot();
    }

    private StateMigrationException incompatible(Schema schema, TypeSerializer<?> present)
            throws IOException {
        return new StateMigrationException(
                "State '%s': the new state serializer (%s) cannot read values that an older one wrote (%s). These are from before the last change of the state's type, and no compaction has rewritten them yet. Restore with the serializer of that time and take a canonical savepoint (bin/flink savepoint --type canonical): all values in it have one form."
                        .formatted(stateName, present, schema.read(userClassLoader)));
    }
}
