/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.segment.FoundRecord;
import io.strata.flink.segment.PageSource;
import io.strata.flink.segment.RunView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The runs of one table, newest first (I5). Immutable; says nothing about references to segments,
 * which the owner holds.
 */
final class RunSet {

    static final RunSet EMPTY = new RunSet(new RunView[0]);

    private final RunView[] newestFirst;

    private RunSet(RunView[] newestFirst) {
        this.newestFirst = newestFirst;
    }

    static RunSet of(List<RunView> newestFirst) {
        return newestFirst.isEmpty() ? EMPTY : new RunSet(newestFirst.toArray(new RunView[0]));
    }

    boolean isEmpty() {
        return newestFirst.length == 0;
    }

    int size() {
        return newestFirst.length;
    }

    RunView get(int index) {
        return newestFirst[index];
    }

    /** Returns the schema that the values of a run were written in. */
    long schemaId(int index) {
        return newestFirst[index].run().spec().schemaId();
    }

    List<RunView> newestFirst() {
        return List.of(newestFirst);
    }

    /**
     * Retains the segments of all runs, from any thread.
     *
     * @return false, with nothing retained, when one of them is gone already
     */
    boolean retainAll() {
        for (int i = 0; i < newestFirst.length; i++) {
            try {
                newestFirst[i].run().segment().retain();
            } catch (IllegalStateException gone) {
                for (int j = 0; j < i; j++) {
                    newestFirst[j].run().segment().release();
                }
                return false;
            }
        }
        return true;
    }

    /** Gives back what {@link #retainAll} took. */
    void releaseAll() {
        for (RunView view : newestFirst) {
            view.run().segment().release();
        }
    }

    /** Tells from memory alone whether a record with the order key may exist. */
    boolean mayContain(int keyGroup, long orderKey) {
        for (RunView view : newestFirst) {
            if (view.mayContain(keyGroup, orderKey)) {
                return true;
            }
        }
        return false;
    }

    /** Tells from memory alone whether a record of a map may exist. */
    boolean mayContainGroup(int keyGroup, int groupHash) {
        for (RunView view : newestFirst) {
            if (view.mayContainGroup(keyGroup, groupHash)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Finds the newest record of a key in the runs from index {@code from} on.
     *
     * @return the index of the run that holds it, or -1
     */
    int find(
            int from, int keyGroup, long orderKey, ByteSlice key, PageSource pages, FoundRecord out)
            throws IOException {
        for (int i = from; i < newestFirst.length; i++) {
            if (newestFirst[i].find(keyGroup, orderKey, key, pages, out)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the schemas that the values of some runs were written in. */
    static Set<Long> schemaIds(List<RunView> views) {
        Set<Long> ids = new LinkedHashSet<>();
        for (RunView view : views) {
            ids.add(view.run().spec().schemaId());
        }
        return ids;
    }

    /** Returns the set with a run in front that is newer than all others. */
    RunSet withNewest(RunView newest) {
        List<RunView> views = new ArrayList<>(newestFirst.length + 1);
        views.add(newest);
        views.addAll(newestFirst());
        return of(views);
    }

    /**
     * Returns the set with neighbours replaced by what they were merged into, if anything is left.
     *
     * @throws IllegalStateException if the inputs are not neighbours here
     */
    RunSet withMerged(List<RunView> inputs, List<RunView> merged) {
        List<RunView> views = new ArrayList<>(newestFirst());
        int from = views.indexOf(inputs.get(0));
        int to = from + inputs.size();
        if (from < 0 || to > views.size() || !views.subList(from, to).equals(inputs)) {
            throw new IllegalStateException(
                    "The %d merged runs are not neighbours among the %d of the table."
                            .formatted(inputs.size(), views.size()));
        }
        List<RunView> range = views.subList(from, to);
        range.clear();
        range.addAll(merged);
        return of(views);
    }
}
