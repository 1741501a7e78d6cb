/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.segment.KeyGroupEntry;
import io.strata.flink.format.segment.KeyGroupSpan;
import java.util.List;

/**
 * Sums over some key groups of a run.
 *
 * @param records the number of records, tombstones included
 * @param tombstones the number of DELETE records
 * @param dataBytes the bytes of all pages
 * @param minTtl the smallest TTL timestamp, {@link SegmentWriter#NO_TTL} when there is none
 * @param maxTtl the largest TTL timestamp, {@link SegmentWriter#NO_TTL} when some record never
 *     expires or there is none
 */
public record RunTotals(long records, long tombstones, long dataBytes, long minTtl, long maxTtl) {

    static RunTotals of(List<KeyGroupEntry> entries, KeyGroupSpan span) {
        long records = 0;
        long tombstones = 0;
        long dataBytes = 0;
        long minTtl = KeyGroupEntry.NO_TTL;
        long maxTtl = Long.MIN_VALUE;
        for (KeyGroupEntry entry : entries) {
            if (span.contains(entry.keyGroup())) {
                records += entry.records();
                tombstones += entry.tombstones();
                dataBytes += entry.dataBytes();
                if (entry.records() > entry.tombstones()) {
                    minTtl = Math.min(minTtl, entry.minTtl());
                    maxTtl = Math.max(maxTtl, entry.maxTtl());
                }
            }
        }
        boolean none = records == tombstones;
        return new RunTotals(
                records, tombstones, dataBytes, minTtl, none ? KeyGroupEntry.NO_TTL : maxTtl);
    }
}
