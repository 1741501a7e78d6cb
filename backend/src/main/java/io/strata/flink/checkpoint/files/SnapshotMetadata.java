/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.files;

import io.strata.flink.engine.StoreManifest;
import io.strata.flink.schema.SavedSchemas;
import java.util.List;
import java.util.Set;

/**
 * What one keyed backend writes about one checkpoint: everything that a restore needs to know
 * before it looks at any segment.
 *
 * @param flinkMetadata Flink's own metadata: key serializer and meta info of all states
 * @param manifest the runs of the checkpoint
 * @param segments what was uploaded of each segment, parallel to the manifest's segments and to the
 *     shared files of the checkpoint's handle
 * @param hasTimers whether the handle brings a file with timers
 * @param schemas those of every keyed state; of none, in metadata from before there were schemas
 */
public record SnapshotMetadata(
        byte[] flinkMetadata,
        StoreManifest manifest,
        List<RemoteSegment> segments,
        boolean hasTimers,
        List<SavedSchemas> schemas) {

    /** The name by which a handle knows the file of timers. */
    public static final String TIMERS_PATH = "timers";

    /** Copies the lists. */
    public SnapshotMetadata {
        segments = List.copyOf(segments);
        schemas = List.copyOf(schemas);
        if (segments.size() != manifest.segments().size()) {
            throw new IllegalArgumentException(
                    "%d uploaded segments for a manifest of %d"
                            .formatted(segments.size(), manifest.segments().size()));
        }
    }

    /** Returns this without some states: their runs are no longer referred to. */
    public SnapshotMetadata without(Set<String> stateNames) {
        List<StoreManifest.StateRuns> states =
                manifest.states().stream()
                        .filter(state -> !stateNames.contains(state.stateName()))
                        .toList();
        return new SnapshotMetadata(
                flinkMetadata,
                new StoreManifest(manifest.segments(), states),
                segments,
                hasTimers,
                schemas.stream().filter(s -> !stateNames.contains(s.stateName())).toList());
    }
}
