/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.CompactionPlan;
import io.strata.flink.compaction.SegmentPolicy;
import io.strata.flink.compaction.SegmentUse;
import io.strata.flink.segment.Run;
import io.strata.flink.segment.RunView;
import io.strata.flink.segment.Segment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the segments of a store that hold little of use, and what to rewrite so that their files
 * go. Task thread only.
 */
final class SegmentCleaner {

    /** The task waits when there are so many times as many segments as there may be. */
    private static final int FAR_BEHIND = 4;

    private final SegmentPolicy policy;
    private final Collection<TableRuns> tables;
    private int segments;
    private long maxSegments;

    /** The use of one segment while it is added up. */
    private static final class Use {
        private long liveBytes;
        private boolean busy;
    }

    /**
     * @param tables the tables of the store, as they are whenever it looks
     */
    SegmentCleaner(SegmentPolicy policy, Collection<TableRuns> tables) {
        this.policy = policy;
        this.tables = tables;
        this.maxSegments = policy.maxSegments(0);
    }

    /** Returns the merges that are due, which are busy from now on. */
    List<TableMerge> begin() {
        Map<Segment, Use> uses = uses();
        List<Segment> inUse = List.copyOf(uses.keySet());
        List<SegmentUse> sizes = new ArrayList<>(inUse.size());
        long liveBytes = 0;
        for (Segment segment : inUse) {
            Use use = uses.get(segment);
            sizes.add(new SegmentUse(heldBytes(segment), use.liveBytes, use.busy));
            liveBytes += use.liveBytes;
        }
        segments = inUse.size();
        maxSegments = policy.maxSegments(liveBytes);
        Set<Segment> chosen = new LinkedHashSet<>();
        policy.plan(sizes).forEach(i -> chosen.add(inUse.get(i)));
        return chosen.isEmpty() ? List.of() : mergesOf(chosen);
    }

    /** Returns how many segments were in use at the last look. */
    int segments() {
        return segments;
    }

    /** Tells whether there were so many segments at the last look that the task should wait. */
    boolean isFarBehind() {
        return segments > FAR_BEHIND * maxSegments;
    }

    private Map<Segment, Use> uses() {
        Map<Segment, Use> uses = new LinkedHashMap<>();
        for (TableRuns table : tables) {
            boolean full = table.merges() >= MergePlanner.MAX_MERGES_PER_TABLE;
            for (RunView view : table.current().newestFirst()) {
                Run run = view.run();
                Use use = uses.computeIfAbsent(run.segment(), segment -> new Use());
                double part = (double) view.dataBytes() / Math.max(1, run.dataBytes());
                use.liveBytes += (long) (part * run.fileBytes());
                use.busy |= full || table.isMerging(view);
            }
        }
        return uses;
    }

    /** Holes in a file that holds a part of the key groups take no space. */
    private static long heldBytes(Segment segment) {
        return segment.runs().stream().mapToLong(Run::fileBytes).sum();
    }

    /** Neighbours in age are merged on the occasion. */
    private List<TableMerge> mergesOf(Set<Segment> chosen) {
        List<TableMerge> merges = new ArrayList<>();
        for (TableRuns table : tables) {
            List<RunView> views = table.current().newestFirst();
            for (int from = 0; from < views.size(); from++) {
                int to = from;
                while (to < views.size() && chosen.contains(views.get(to).run().segment())) {
                    to++;
                }
                if (to > from) {
                    merges.add(TableMerge.begin(table, new CompactionPlan(from, to - 1)));
                    from = to;
                }
            }
        }
        return merges;
    }
}
