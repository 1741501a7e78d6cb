/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.schema;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;

/**
 * The schemas of one state in a checkpoint.
 *
 * @param stateName the name that the state is registered under
 * @param currentId the schema that Flink's meta info describes, in which values are written
 * @param schemas those that runs of the state have
 */
public record SavedSchemas(String stateName, long currentId, List<Schema> schemas) {

    /** Copies the list. */
    public SavedSchemas {
        schemas = List.copyOf(schemas);
    }

    /** Returns those of a state all of whose runs have one schema. */
    public static SavedSchemas single(String stateName, Schema schema) {
        return new SavedSchemas(stateName, schema.id(), List.of(schema));
    }

    /**
     * Returns these with what another task of the same job says. The current one stays: the meta
     * info comes from one task too.
     */
    public SavedSchemas merge(SavedSchemas other) {
        Map<Long, Schema> all = new LinkedHashMap<>();
        schemas.forEach(schema -> all.put(schema.id(), schema));
        other.schemas.forEach(schema -> all.merge(schema.id(), schema, Schema::merge));
        return new SavedSchemas(stateName, currentId, new ArrayList<>(all.values()));
    }

    /**
     * Returns what a checkpoint needs.
     *
     * @param used the schemas that its runs have
     * @param current the snapshot in Flink's meta info, which may have learned of subclasses since
     *     the state was registered
     */
    public SavedSchemas only(Set<Long> used, TypeSerializerSnapshot<?> current) throws IOException {
        List<Schema> kept = new ArrayList<>();
        for (Schema schema : schemas) {
            if (used.contains(schema.id())) {
                kept.add(schema.id() == currentId ? schema.withSnapshot(current) : schema);
            }
        }
        return new SavedSchemas(stateName, currentId, kept);
    }
}
