/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.segment.RunView;
import io.strata.flink.segment.Segment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The runs of a store at one moment, with the segments that hold them.
 *
 * @param segments the segments, parallel to the manifest's; valid while the {@link StoreSnapshot}
 *     that gave the version is open
 * @param manifest the runs
 */
public record StoreVersion(List<Segment> segments, StoreManifest manifest) {
    /** Copies the list. */
    public StoreVersion {
        segments = List.copyOf(segments);
    }

    /** Returns the schemas that the runs of a state were written in. */
    public Set<Long> schemaIds(String stateName) {
        return RunSet.schemaIds(runsByState().getOrDefault(stateName, List.of()));
    }

    /** Returns the runs of every state that has any, newest first; the lists are the caller's. */
    public Map<String, List<RunView>> runsByState() {
        Map<String, List<RunView>> runs = new LinkedHashMap<>();
        for (StoreManifest.StateRuns state : manifest.states()) {
            List<RunView> newestFirst = new ArrayList<>(state.newestFirst().size());
            for (StoreManifest.RunRef ref : state.newestFirst()) {
                newestFirst.add(
                        new RunView(
                                segments.get(ref.segmentIndex()).runs().get(ref.runOrdinal()),
                                new KeyGroupSpan(ref.firstKeyGroup(), ref.lastKeyGroup())));
            }
            runs.put(state.stateName(), newestFirst);
        }
        return runs;
    }
}
