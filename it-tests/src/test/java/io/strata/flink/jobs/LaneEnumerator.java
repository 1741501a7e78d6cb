/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;

/** Deals the lanes to the readers, once. */
final class LaneEnumerator implements SplitEnumerator<Lane, Collection<Lane>> {

    private final SplitEnumeratorContext<Lane> context;
    private final List<Lane> unassigned;

    LaneEnumerator(SplitEnumeratorContext<Lane> context, Collection<Lane> unassigned) {
        this.context = context;
        this.unassigned = new ArrayList<>(unassigned);
    }

    @Override
    public void start() {}

    @Override
    public void handleSplitRequest(int subtask, String host) {}

    @Override
    public void addSplitsBack(List<Lane> lanes, int subtask) {
        unassigned.addAll(lanes);
    }

    @Override
    public void addReader(int subtask) {
        List<Lane> dealt =
                unassigned.stream()
                        .filter(lane -> lane.number() % context.currentParallelism() == subtask)
                        .toList();
        // All at once: a reader that had some lanes first would run ahead of the others.
        context.assignSplits(new SplitsAssignment<>(Map.of(subtask, dealt)));
        unassigned.removeAll(dealt);
        context.signalNoMoreSplits(subtask);
    }

    @Override
    public Collection<Lane> snapshotState(long checkpointId) {
        return List.copyOf(unassigned);
    }

    @Override
    public void close() {}
}
