/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.CompactionPlan;
import io.strata.flink.compaction.Merge;
import io.strata.flink.segment.RunView;
import java.util.List;

/**
 * A merge of neighbours in age among the runs of one table, under way from when it is made until
 * {@link #ended}. Task thread only, but for {@link #merge}.
 */
final class TableMerge {

    private final TableRuns table;
    private final Merge merge;
    private final long bytes;

    private TableMerge(TableRuns table, Merge merge) {
        this.table = table;
        this.merge = merge;
        this.bytes = merge.newestFirst().stream().mapToLong(RunView::dataBytes).sum();
    }

    /** Makes the runs of a plan busy. */
    static TableMerge begin(TableRuns table, CompactionPlan plan) {
        List<RunView> views = table.current().newestFirst();
        boolean bottom = plan.oldestIndex() == views.size() - 1;
        List<RunView> inputs = views.subList(plan.newestIndex(), plan.oldestIndex() + 1);
        TableMerge begun = new TableMerge(table, new Merge(inputs, bottom, table.rules()));
        table.mergeStarted(begun.inputs());
        return begun;
    }

    TableRuns table() {
        return table;
    }

    /** Returns what is to be done; for the thread that does it. */
    Merge merge() {
        return merge;
    }

    List<RunView> inputs() {
        return merge.newestFirst();
    }

    /** Returns the bytes of the pages of all inputs. */
    long bytes() {
        return bytes;
    }

    void ended() {
        table.mergeEnded(inputs());
    }
}
