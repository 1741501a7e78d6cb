/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.segment.Run;
import io.strata.flink.segment.RunTotals;
import io.strata.flink.segment.RunView;

/**
 * What the policy knows of a run.
 *
 * @param records its records, tombstones included
 * @param tombstones its DELETE records
 * @param bytes the bytes of its pages
 * @param span key groups outside of which it has no records
 * @param minTtl its oldest TTL timestamp, {@link Expiry#NO_TTL} when there is none
 * @param maxTtl its newest TTL timestamp, {@link Expiry#NO_TTL} when some record never expires or
 *     there is none
 */
public record RunSize(
        long records, long tombstones, long bytes, KeyGroupSpan span, long minTtl, long maxTtl) {

    public RunSize {
        if (tombstones < 0 || records < tombstones || bytes < 0) {
            throw new IllegalArgumentException(
                    "a run of %d records, %d of them tombstones, in %d bytes"
                            .formatted(records, tombstones, bytes));
        }
    }

    /** Creates the size of a run that never expires. */
    public RunSize(long records, long tombstones, long bytes, KeyGroupSpan span) {
        this(records, tombstones, bytes, span, Expiry.NO_TTL, Expiry.NO_TTL);
    }

    /** Creates the size of a run that never expires and may have records in any key group. */
    public RunSize(long records, long tombstones, long bytes) {
        this(records, tombstones, bytes, KeyGroupSpan.ALL);
    }

    /** Tells whether there are records, and nothing but tombstones. */
    boolean onlyTombstones() {
        return records > 0 && records == tombstones;
    }

    /** Returns the size of what is visible of a run. */
    public static RunSize of(RunView view) {
        Run run = view.run();
        KeyGroupSpan visible = null;
        if (run.firstKeyGroup() <= run.lastKeyGroup()) {
            visible =
                    view.clip()
                            .intersection(
                                    new KeyGroupSpan(run.firstKeyGroup(), run.lastKeyGroup()));
        }
        RunTotals totals = view.totals();
        return new RunSize(
                totals.records(),
                totals.tombstones(),
                totals.dataBytes(),
                visible == null ? view.clip() : visible,
                totals.minTtl(),
                totals.maxTtl());
    }
}
