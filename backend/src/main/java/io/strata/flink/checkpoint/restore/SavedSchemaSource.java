/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.restore;

import io.strata.flink.checkpoint.files.SnapshotMetadata;
import io.strata.flink.schema.SavedSchemas;
import io.strata.flink.schema.Schema;
import java.io.IOException;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot.CommonSerializerKeys;

/** Says which schemas the values of a state have in one handle of a restore. */
@FunctionalInterface
interface SavedSchemaSource {

    /** Returns the schemas of a keyed state, given Flink's meta info of it. */
    SavedSchemas of(StateMetaInfoSnapshot state) throws IOException;

    /** Returns the source for a checkpoint, which names them if it is not from before that. */
    static SavedSchemaSource of(SnapshotMetadata metadata) {
        return state -> {
            for (SavedSchemas saved : metadata.schemas()) {
                if (saved.stateName().equals(state.getName())) {
                    return saved;
                }
            }
            return SavedSchemas.single(
                    state.getName(),
                    Schema.unversioned(
                            state.getTypeSerializerSnapshot(
                                    CommonSerializerKeys.VALUE_SERIALIZER)));
        };
    }

    /** Returns the source for a canonical savepoint, where every state has one. */
    static SavedSchemaSource ofSavepoint() {
        return state ->
                SavedSchemas.single(
                        state.getName(),
                        Schema.of(
                                state.getTypeSerializerSnapshot(
                                        CommonSerializerKeys.VALUE_SERIALIZER)));
    }
}
