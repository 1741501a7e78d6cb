/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import io.strata.flink.hot.BudgetFeedback;
import io.strata.flink.hot.CollectionReport;
import io.strata.flink.hot.HeapBudget;
import io.strata.flink.hot.HeapLease;
import java.io.Closeable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The heap budget of the process, corrected by what collections of garbage report. Thread-safe. */
final class ProcessMemory implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessMemory.class);

    private final HeapBudget budget = new HeapBudget();
    private final BudgetFeedback feedback = new BudgetFeedback();
    private final CollectionReports reports = new CollectionReports(this::collected);
    private volatile long shrinks;

    HeapLease lease(long allowedBytes) {
        return budget.lease(allowedBytes);
    }

    /** Returns the heap bytes that all backends together may hold now. */
    long budgetBytes() {
        return budget.totalBytes();
    }

    /** Returns how often the budget was lowered since there was too little heap. */
    long shrinks() {
        return shrinks;
    }

    /** Called by a thread of the JVM; what the tasks notice is that their limits have changed. */
    synchronized void collected(CollectionReport report) {
        double before = feedback.share();
        feedback.collected(report, budget.heldShare());
        if (feedback.share() == before) {
            return;
        }
        budget.setShare(feedback.share());
        if (feedback.shrinks() > shrinks) {
            LOG.info(
                    "{} % of the heap is taken after a collection: the hot tier is lowered to {}"
                            + " bytes, {} % of its budget. If this happens often, set a smaller {}"
                            + " or {}, or give the process more heap.",
                    Math.round(100 * report.occupancy()),
                    budget.totalBytes(),
                    Math.round(100 * feedback.share()),
                    StrataOptions.HOT_FRACTION.key(),
                    StrataOptions.HOT_SIZE.key());
        }
        shrinks = feedback.shrinks();
    }

    @Override
    public void close() {
        reports.close();
    }
}
