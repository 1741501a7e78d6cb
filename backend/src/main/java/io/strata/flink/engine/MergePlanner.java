/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.CompactionPlan;
import io.strata.flink.compaction.CompactionPolicy;
import io.strata.flink.compaction.Expiry;
import io.strata.flink.compaction.RunSize;
import io.strata.flink.compaction.SupersededRecords;
import io.strata.flink.compaction.TtlCompactionPolicy;
import io.strata.flink.segment.RunView;
import java.util.List;
import java.util.Optional;

/** Asks the policy that fits a table what to merge of it next. Task thread only. */
final class MergePlanner {

    /** A small merge of new runs need not wait for a large one of old runs. */
    static final int MAX_MERGES_PER_TABLE = 2;

    private final CompactionPolicy policy = new CompactionPolicy();
    private final TtlCompactionPolicy ttlPolicy = new TtlCompactionPolicy();
    private final boolean mergeAll;

    /**
     * @param mergeAll for tests: merge all runs of a table whenever it has two
     */
    MergePlanner(boolean mergeAll) {
        this.mergeAll = mergeAll;
    }

    Optional<CompactionPlan> plan(TableRuns table) {
        List<RunView> views = table.current().newestFirst();
        if (views.isEmpty() || table.merges() >= MAX_MERGES_PER_TABLE) {
            return Optional.empty();
        }
        if (mergeAll) {
            return table.merges() > 0 || views.size() < 2
                    ? Optional.empty()
                    : Optional.of(new CompactionPlan(0, views.size() - 1));
        }
        List<RunSize> sizes = views.stream().map(RunSize::of).toList();
        Expiry expiry = table.expiry();
        if (TtlCompactionPolicy.isFor(sizes, expiry)) {
            return table.merges() == 0
                    ? ttlPolicy.plan(sizes, SupersededRecords.estimate(views), expiry)
                    : ttlPolicy.planBeside(sizes, table.busyFrom(), expiry);
        }
        return table.merges() == 0
                ? policy.plan(sizes)
                : policy.planBeside(sizes, table.busyFrom());
    }
}
