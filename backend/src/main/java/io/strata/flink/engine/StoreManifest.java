/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.segment.SegmentId;
import java.util.List;

/**
 * The set of runs that made up a store at one moment, without the data itself.
 *
 * @param segments the segments that the runs lie in
 * @param states the runs of every state that has any
 */
public record StoreManifest(List<SegmentEntry> segments, List<StateRuns> states) {

    /** Copies the lists. */
    public StoreManifest {
        segments = List.copyOf(segments);
        states = List.copyOf(states);
    }

    /**
     * One segment.
     *
     * @param id the segment's identity, from which its file name follows
     * @param fileBytes the length of the whole file
     */
    public record SegmentEntry(SegmentId id, long fileBytes) {}

    /**
     * The runs of one state, newest first (I5).
     *
     * @param stateName the name under which the state is registered
     * @param newestFirst the runs, newest first
     */
    public record StateRuns(String stateName, List<RunRef> newestFirst) {
        /** Copies the list. */
        public StateRuns {
            newestFirst = List.copyOf(newestFirst);
        }
    }

    /**
     * One run and the key groups of it that belong to the store.
     *
     * @param segmentIndex the position of its segment in {@link StoreManifest#segments()}
     * @param runOrdinal the position of the run in its segment
     * @param firstKeyGroup the first key group that counts
     * @param lastKeyGroup the last key group that counts, inclusive
     */
    public record RunRef(int segmentIndex, int runOrdinal, int firstKeyGroup, int lastKeyGroup) {}
}
