/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import io.strata.flink.compaction.Expiry;
import io.strata.flink.compaction.TimestampedValues;
import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.key.CompositeKeyReader;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.schema.Schema;
import io.strata.flink.schema.TimeToLive;
import java.io.IOException;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot.CommonOptionsKeys;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot.CommonSerializerKeys;

/**
 * One state of a savepoint file: how its entries become records, or timers.
 *
 * @param name the name under which the state is registered
 * @param spec what its run is of, or null for a queue of timers
 * @param kind the kind of keyed state, or null for a queue of timers
 * @param order its order keys, or null for a queue of timers
 * @param timestamps reads when a value was last used, if the metadata says that values expire; for
 *     lists it is not told, since only the elements' serializer, perhaps no longer there, knows
 *     where one ends
 * @param dropsNulls whether a map value that is flagged as null is an expired one
 */
record ImportedState(
        String name,
        RunSpec spec,
        StateDescriptor.Type kind,
        ImportOrder order,
        Expiry timestamps,
        boolean dropsNulls) {

    /** What {@link #keptBytes} says of an entry that is as good as absent. */
    static final int DROPPED = -1;

    /**
     * Returns what metadata says about a state.
     *
     * @param keySerializer that wrote the keys
     * @throws IOException if the state is of a kind that no keyed backend writes
     */
    static ImportedState of(
            StateMetaInfoSnapshot metaInfo, TypeSerializer<?> keySerializer, int prefixBytes)
            throws IOException {
        String name = metaInfo.getName();
        return switch (metaInfo.getBackendStateType()) {
            case PRIORITY_QUEUE -> new ImportedState(name, null, null, null, Expiry.NEVER, false);
            case KEY_VALUE -> ofKeyed(name, metaInfo, keySerializer, prefixBytes);
            default ->
                    throw new IOException(
                            "State '%s' is of kind %s, which this version does not restore."
                                    .formatted(name, metaInfo.getBackendStateType()));
        };
    }

    private static ImportedState ofKeyed(
            String name,
            StateMetaInfoSnapshot metaInfo,
            TypeSerializer<?> keySerializer,
            int prefixBytes)
            throws IOException {
        StateDescriptor.Type kind =
                StateDescriptor.Type.valueOf(
                        metaInfo.getOption(CommonOptionsKeys.KEYED_STATE_TYPE));
        TypeSerializerSnapshot<?> values =
                metaInfo.getTypeSerializerSnapshot(CommonSerializerKeys.VALUE_SERIALIZER);
        long schemaId = Schema.of(values).id();
        boolean expires = TimeToLive.isIn(values);
        if (kind != StateDescriptor.Type.MAP) {
            RunSpec spec = new RunSpec(name, false, schemaId);
            Expiry timestamps =
                    expires && kind != StateDescriptor.Type.LIST
                            ? new TimestampedValues(false)
                            : Expiry.NEVER;
            return new ImportedState(
                    name, spec, kind, ImportOrder.flat(prefixBytes), timestamps, false);
        }
        TypeSerializerSnapshot<?> namespace =
                metaInfo.getTypeSerializerSnapshot(CommonSerializerKeys.NAMESPACE_SERIALIZER);
        CompositeKeyReader<?, ?> keys =
                new CompositeKeyReader<>(prefixBytes, keySerializer, namespace.restoreSerializer());
        return new ImportedState(
                name,
                new RunSpec(name, true, schemaId),
                kind,
                ImportOrder.ofMap(prefixBytes, keys),
                expires ? new TimestampedValues(true) : Expiry.NEVER,
                expires);
    }

    boolean isTimers() {
        return spec == null;
    }

    /**
     * Returns how many bytes of the entry's value make the record's value, or {@link #DROPPED}: for
     * an empty list, which no run holds, and for a map value with a time to live that rocksdb found
     * expired and could not leave out.
     *
     * @param file how errors name the savepoint
     */
    int keptBytes(EntryReader entry, String file) throws IOException {
        if (kind == StateDescriptor.Type.LIST) {
            return entry.valueBytes() == 0 ? DROPPED : entry.valueBytes();
        }
        if (kind != StateDescriptor.Type.MAP) {
            return entry.valueBytes();
        }
        if (entry.valueBytes() == 0) {
            throw new CorruptFormatException(
                    file, "value of map state '" + name + "'", "a null flag", "no byte");
        }
        boolean isNull = entry.peekValue() != 0;
        // Some serializers write null too; the flag alone is what Strata writes.
        return !isNull ? entry.valueBytes() : dropsNulls ? DROPPED : 1;
    }
}
