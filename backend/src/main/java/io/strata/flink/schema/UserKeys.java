/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.schema;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializerSnapshot;
import org.apache.flink.util.StateMigrationException;

/**
 * Refuses new keys of maps. They are parts of composite keys, by which entries are found: other
 * bytes for the same key would lose its entry.
 */
public final class UserKeys {

    private UserKeys() {}

    /**
     * Requires that a state, if it is a map, has keys of the same bytes as before. So they are, one
     * change after another, those of every older schema too.
     *
     * @param present the serializer of the state, reconfigured if Flink asked for that
     * @param before the snapshot of the one that was registered last
     * @throws StateMigrationException if not
     */
    public static void requireSame(
            String stateName, TypeSerializer<?> present, TypeSerializerSnapshot<?> before)
            throws IOException, StateMigrationException {
        if (PlainSerializers.plain(present) instanceof MapSerializer<?, ?> map
                && before instanceof MapSerializerSnapshot<?, ?> mapBefore
                && !areTheSame(map.getKeySerializer(), mapBefore.getKeySerializerSnapshot())) {
            throw new StateMigrationException(
                    "Map state '%s': the new serializer of its keys (%s) does not write the same as the one before (%s). The values of a map may change their form, its keys may not."
                            .formatted(
                                    stateName,
                                    map.getKeySerializer(),
                                    mapBefore.getKeySerializerSnapshot()));
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // Flink finds out whether they fit
    private static boolean areTheSame(TypeSerializer<?> keys, TypeSerializerSnapshot<?> before)
            throws IOException {
        TypeSerializerSnapshot now = keys.snapshotConfiguration();
        TypeSerializerSchemaCompatibility<?> compatibility = now.resolveSchemaCompatibility(before);
        return compatibility.isCompatibleAsIs()
                || (compatibility.isCompatibleWithReconfiguredSerializer()
                        && SchemaReaders.writesTheSame(
                                compatibility.getReconfiguredSerializer(), keys));
    }
}
