/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.schema;

import io.strata.flink.format.key.SchemaIds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.util.TemporaryClassLoaderContext;

/**
 * One form that the values of a state were written in: the snapshot of the serializer that did, as
 * bytes, under a number made of these bytes. So tasks that know nothing of each other give the same
 * form the same number.
 *
 * @param id what runs carry ({@link io.strata.flink.format.segment.RunSpec#schemaId})
 * @param snapshot a versioned snapshot as Flink writes it
 * @param ttlSince the time in milliseconds that these values have had their time to live since,
 *     whatever was written with them, because the state had none for a while; {@link #NO_TIME} when
 *     they have none, or the time that was written; {@link #VOID_TIME} when what was written counts
 *     no longer
 */
public record Schema(long id, byte[] snapshot, long ttlSince) {

    /** Of a schema whose values need no time. */
    public static final long NO_TIME = Long.MIN_VALUE;

    /** Of a schema with times whose state has no time to live any more. */
    public static final long VOID_TIME = NO_TIME + 1;

    private static final int INITIAL_BYTES = 256;

    /** Returns the schema of a serializer's snapshot. */
    public static Schema of(TypeSerializerSnapshot<?> snapshot) throws IOException {
        byte[] bytes = bytes(snapshot);
        return new Schema(SchemaIds.of(bytes), bytes, NO_TIME);
    }

    /** Returns a snapshot as the schema of runs that carry no number. */
    public static Schema unversioned(TypeSerializerSnapshot<?> snapshot) throws IOException {
        return new Schema(SchemaIds.UNVERSIONED, bytes(snapshot), NO_TIME);
    }

    static byte[] bytes(TypeSerializerSnapshot<?> snapshot) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(INITIAL_BYTES);
        TypeSerializerSnapshot.writeVersionedSnapshot(out, snapshot);
        return out.getCopyOfBuffer();
    }

    /**
     * Returns the schema of the same serializer under another number, for values whose times count
     * while those under this number do not.
     */
    public Schema renumbered() {
        byte[] salted =
                ByteBuffer.allocate(snapshot.length + Long.BYTES)
                        .put(snapshot)
                        .putLong(ttlSince)
                        .array();
        return new Schema(SchemaIds.of(salted), snapshot, NO_TIME);
    }

    /**
     * Returns this schema as it is from now on, for a state that has a time to live, or has none.
     *
     * @param now the time by the clock of times to live
     */
    public Schema whileStateHasTimeToLive(boolean stateHas, long now, ClassLoader userClassLoader)
            throws IOException {
        boolean isTimed = TimeToLive.isIn(read(userClassLoader));
        if (!stateHas) {
            return withTtlSince(isTimed ? VOID_TIME : NO_TIME);
        }
        boolean needsTime = ttlSince == VOID_TIME || (ttlSince == NO_TIME && !isTimed);
        return needsTime ? withTtlSince(now) : this;
    }

    /** Returns a new snapshot object each time: Flink changes those that it compares. */
    public TypeSerializerSnapshot<?> read(ClassLoader userClassLoader) throws IOException {
        try (TemporaryClassLoaderContext ignored =
                TemporaryClassLoaderContext.of(userClassLoader)) {
            return TypeSerializerSnapshot.readVersionedSnapshot(
                    new DataInputDeserializer(snapshot), userClassLoader);
        }
    }

    private Schema withTtlSince(long time) {
        return new Schema(id, snapshot, time);
    }

    /** Returns the same schema with the snapshot that its serializer gives by now. */
    Schema withSnapshot(TypeSerializerSnapshot<?> current) throws IOException {
        return new Schema(id, bytes(current), ttlSince);
    }

    /** Of two that tasks of one job wrote, the one whose values live longer. */
    Schema merge(Schema other) {
        return other.ttlSince > ttlSince ? withTtlSince(other.ttlSince) : this;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Schema schema
                && id == schema.id
                && ttlSince == schema.ttlSince
                && Arrays.equals(snapshot, schema.snapshot);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(id);
    }

    @Override
    public String toString() {
        return "Schema{%016x, %d bytes, ttl since %d}".formatted(id, snapshot.length, ttlSince);
    }
}
