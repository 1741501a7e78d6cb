/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.segment.RunView;
import io.strata.flink.segment.Segment;
import java.util.ArrayList;
import java.util.List;

/**
 * What one checkpoint handle contributes to a restored store.
 *
 * @param manifest the runs as they were when the checkpoint was taken
 * @param segments parallel to the manifest's segments: the opened segment, one reference of which
 *     passes to the store, or null where the store needs none of its key groups; the same segment
 *     may occur in several handles, with one reference for each
 * @param owned the key groups that the store takes from this handle
 */
public record RestoredRuns(StoreManifest manifest, List<Segment> segments, KeyGroupSpan owned) {

    /** Returns the runs of one state of the manifest, newest first, cut to what is owned. */
    List<RunView> views(StoreManifest.StateRuns state) {
        List<RunView> views = new ArrayList<>();
        for (StoreManifest.RunRef ref : state.newestFirst()) {
            KeyGroupSpan clip =
                    new KeyGroupSpan(ref.firstKeyGroup(), ref.lastKeyGroup()).intersection(owned);
            Segment segment = segments.get(ref.segmentIndex());
            if (clip != null && segment != null) {
                views.add(new RunView(segment.runs().get(ref.runOrdinal()), clip));
            }
        }
        return views;
    }
}
