/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.evolution;

import io.strata.flink.checkpoint.files.SnapshotMetadata;
import io.strata.flink.checkpoint.files.SnapshotMetadataFormat;
import io.strata.flink.schema.SavedSchemas;
import io.strata.flink.schema.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;

/** What checkpoints say about schemas. */
final class SchemasOf {

    private SchemasOf() {}

    /** Returns the schemas that the runs of a state have. */
    static Set<Long> state(List<KeyedStateHandle> checkpoint, String name) throws IOException {
        Set<Long> ids = new TreeSet<>();
        for (KeyedStateHandle handle : checkpoint) {
            for (SavedSchemas state : metadata(handle).schemas()) {
                if (state.stateName().equals(name)) {
                    state.schemas().stream().map(Schema::id).forEach(ids::add);
                }
            }
        }
        return ids;
    }

    /** Returns the names of the states that have runs. */
    static Set<String> statesWithRuns(List<KeyedStateHandle> checkpoint) throws IOException {
        Set<String> names = new TreeSet<>();
        for (KeyedStateHandle handle : checkpoint) {
            metadata(handle).manifest().states().forEach(state -> names.add(state.stateName()));
        }
        return names;
    }

    static SnapshotMetadata metadata(KeyedStateHandle handle) throws IOException {
        try (FSDataInputStream in =
                ((IncrementalRemoteKeyedStateHandle) handle)
                        .getMetaDataStateHandle()
                        .openInputStream()) {
            return SnapshotMetadataFormat.decode("metadata", in.readAllBytes());
        }
    }

    static List<String> names(List<KeyedStateHandle> checkpoint) throws IOException {
        List<String> names = new ArrayList<>();
        for (KeyedStateHandle handle : checkpoint) {
            metadata(handle).schemas().forEach(state -> names.add(state.stateName()));
        }
        return names;
    }
}
