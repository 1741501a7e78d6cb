/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.Expiry;
import io.strata.flink.compaction.ValueRules;
import io.strata.flink.segment.RunView;
import java.util.ArrayList;
import java.util.List;

/**
 * The runs that one state has now, and one reference to the segment of each. Task thread only.
 *
 * <p>It outlives the registration of the state: a restored state that the job does not register
 * keeps its runs and is carried through checkpoints.
 */
final class TableRuns {

    private final String stateName;

    /** Written by the task thread; read by queries from other threads too. */
    private volatile RunSet current = RunSet.EMPTY;

    /** The inputs of compactions under way, those of the newest runs last. */
    private final List<List<RunView>> merging = new ArrayList<>(2);

    /** Written by the task thread; read by queries from other threads too. */
    private volatile ValueRules rules = ValueRules.NONE;

    private Expiry expiry = Expiry.NEVER;

    /** What {@link ExpiredRuns} found when it last looked; null when the runs have changed. */
    private Long nextExpiring;

    private long cuts;
    private long lastLookMillis = Long.MIN_VALUE;

    TableRuns(String stateName) {
        this.stateName = stateName;
    }

    String stateName() {
        return stateName;
    }

    RunSet current() {
        return current;
    }

    /** Returns what the values mean, as the table said that was opened last. */
    ValueRules rules() {
        return rules;
    }

    void setRules(ValueRules rules) {
        this.rules = rules;
        this.expiry = rules.expiry();
        this.nextExpiring = null;
    }

    /** Returns the task thread's judge of what has expired now. */
    Expiry expiry() {
        expiry.refresh();
        return expiry;
    }

    /**
     * Tells whether a part of a time to live has passed since this last returned true.
     *
     * @param parts the number of parts
     */
    boolean isTimeToLook(int parts) {
        if (!expiry.hasTimestamps()) {
            return false;
        }
        expiry.refresh();
        long now = expiry.now();
        boolean due = now > lastLookMillis + expiry.timeToLiveMillis() / parts;
        if (due) {
            lastLookMillis = now;
        }
        return due;
    }

    /**
     * Returns the runs that may go unread now; costs next to nothing when none of them has expired
     * since the last call.
     */
    List<RunView> expired() {
        expiry.refresh();
        if (!expiry.hasTimestamps() || (nextExpiring != null && !expiry.isExpired(nextExpiring))) {
            return List.of();
        }
        ExpiredRuns found = ExpiredRuns.of(current.newestFirst(), this::mustStay, expiry);
        nextExpiring = found.nextTimestamp();
        return found.views();
    }

    private boolean mustStay(RunView view) {
        return isMerging(view) || !rules.keepsTimestamps(view.run().spec().schemaId());
    }

    boolean isMerging(RunView view) {
        return merging.stream().anyMatch(inputs -> inputs.contains(view));
    }

    /** Returns a number that changes when values may have lost parts that expired. */
    long cuts() {
        return cuts;
    }

    /** Lets runs go that nobody needs any more. */
    void drop(List<RunView> views) {
        List<RunView> left = new ArrayList<>(current.newestFirst());
        if (!left.removeAll(views)) {
            throw new IllegalStateException("State " + stateName + " has no such runs.");
        }
        show(RunSet.of(left));
        cuts++;
        views.forEach(view -> view.run().segment().release());
    }

    private void show(RunSet runs) {
        current = runs;
        nextExpiring = null;
    }

    /** Returns how many compactions of these runs are under way. */
    int merges() {
        return merging.size();
    }

    /** Returns the index of the newest run that a compaction under way reads. */
    int busyFrom() {
        List<RunView> views = current.newestFirst();
        return merging.stream().mapToInt(m -> views.indexOf(m.get(0))).min().orElse(views.size());
    }

    void mergeStarted(List<RunView> inputs) {
        merging.add(inputs);
    }

    void mergeEnded(List<RunView> inputs) {
        if (!merging.remove(inputs)) {
            throw new IllegalStateException("State " + stateName + " was not merging these runs.");
        }
        nextExpiring = null;
    }

    /** Adds the runs of a restored handle behind those of the handles before it. */
    void adopt(List<RunView> views) {
        views.forEach(view -> view.run().segment().retain());
        List<RunView> all = new ArrayList<>(current.newestFirst());
        all.addAll(views);
        show(RunSet.of(all));
    }

    /** Puts the run of a finished flush in front (I5). */
    void addNewest(RunView view) {
        view.run().segment().retain();
        show(current.withNewest(view));
    }

    /** Replaces neighbours by what they were merged into. */
    void replace(List<RunView> inputs, List<RunView> merged) {
        merged.forEach(view -> view.run().segment().retain());
        show(current.withMerged(inputs, merged));
        cuts += expiry.hasTimestamps() ? 1 : 0;
        inputs.forEach(view -> view.run().segment().release());
    }

    /** Gives all references back. */
    void releaseAll() {
        List<RunView> views = current.newestFirst();
        show(RunSet.EMPTY);
        views.forEach(view -> view.run().segment().release());
    }
}
