/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.Expiry;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.segment.RunView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The runs of a table that may go unread: all that they hold has expired or is a tombstone, and no
 * older run stays that they may hide something of (I5).
 *
 * @param views the runs
 * @param nextTimestamp there is nothing more to find before this timestamp has expired, unless the
 *     runs change
 */
record ExpiredRuns(List<RunView> views, long nextTimestamp) {

    /**
     * Finds them.
     *
     * @param newestFirst all runs of the table
     * @param mustStay tells which stay in any case: inputs of a compaction under way, and runs
     *     whose timestamps no longer count
     */
    static ExpiredRuns of(List<RunView> newestFirst, Predicate<RunView> mustStay, Expiry expiry) {
        List<RunView> views = new ArrayList<>();
        List<KeyGroupSpan> staying = new ArrayList<>();
        long nextTimestamp = Expiry.NO_TTL;
        for (int i = newestFirst.size() - 1; i >= 0; i--) {
            RunView view = newestFirst.get(i);
            long newest = newestTimestamp(view);
            boolean expired = newest == Long.MIN_VALUE || expiry.isExpired(newest);
            if (expired
                    && !mustStay.test(view)
                    && staying.stream().noneMatch(span -> span.intersects(view.clip()))) {
                views.add(view);
            } else {
                staying.add(view.clip());
                nextTimestamp = expired ? nextTimestamp : Math.min(nextTimestamp, newest);
            }
        }
        return new ExpiredRuns(views, nextTimestamp);
    }

    /** Returns the least timestamp when there are only tombstones, which hide what has gone. */
    private static long newestTimestamp(RunView view) {
        var totals = view.totals();
        return totals.records() == totals.tombstones() ? Long.MIN_VALUE : totals.maxTtl();
    }
}
