/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.strata.flink.checkpoint.transfer.RestoreStats;
import io.strata.flink.engine.StoreStats;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * The metrics of one keyed backend: gauges in the group {@value #GROUP} below those of its
 * operator.
 *
 * <p>Reporter threads read what the task thread published last, so that a metric costs the task
 * nothing.
 */
final class StrataMetrics {

    /** Name of the metric group. */
    static final String GROUP = "strata";

    private final MetricGroup group;
    private final Supplier<StoreStats> stats;

    private StrataMetrics(MetricGroup group, Supplier<StoreStats> stats) {
        this.group = group;
        this.stats = stats;
    }

    /** Registers all gauges; Flink removes them with the group of the operator. */
    static void register(
            MetricGroup operator,
            Supplier<StoreStats> stats,
            RestoreStats restore,
            ProcessMemory memory) {
        StrataMetrics metrics = new StrataMetrics(operator.addGroup(GROUP), stats);
        metrics.gauge("hotEntries", StoreStats::hotEntries);
        metrics.gauge("hotBytes", StoreStats::hotBytes);
        metrics.gauge("dirtyBytes", StoreStats::dirtyBytes);
        metrics.gauge("coldRecords", StoreStats::coldRecords);
        metrics.gauge("coldBytes", StoreStats::coldBytes);
        metrics.gauge("runs", StoreStats::runs);
        metrics.gauge("segments", StoreStats::segments);
        metrics.gauge("hotHits", StoreStats::hotHits);
        metrics.gauge("coldReads", StoreStats::coldReads);
        metrics.gauge("flushes", StoreStats::flushes);
        metrics.gauge("flushedBytes", StoreStats::flushedBytes);
        metrics.gauge("compactions", StoreStats::compactions);
        metrics.gauge("compactedBytes", StoreStats::compactedBytes);
        metrics.gauge("compactionReadBytes", StoreStats::compactionReadBytes);
        metrics.gauge("expiredRuns", StoreStats::expiredRuns);
        metrics.gauge("expiredBytes", StoreStats::expiredBytes);
        metrics.gauge("evictedBytes", StoreStats::evictedBytes);
        metrics.gauge("stalls", StoreStats::stalls);
        metrics.gauge("stallMillis", s -> NANOSECONDS.toMillis(s.stallNanos()));
        metrics.gauge("longestStallMillis", s -> NANOSECONDS.toMillis(s.longestStallNanos()));
        metrics.gauge("compactionStallMillis", s -> NANOSECONDS.toMillis(s.compactionStallNanos()));
        metrics.gauge("heapBudgetBytes", s -> memory.budgetBytes());
        metrics.gauge("heapBudgetShrinks", s -> memory.shrinks());
        metrics.gauge("restoreSegments", s -> restore.segmentsOpened());
        metrics.gauge("restoreBytesRead", s -> restore.bytesRead());
        metrics.gauge("restoreBytesOwned", s -> restore.bytesOwned());
        metrics.gauge("restoreRecordsRewritten", s -> restore.recordsRewritten());
        metrics.gauge("restoreMillis", s -> restore.millis());
    }

    private void gauge(String name, ToLongFunction<StoreStats> value) {
        group.gauge(name, (Gauge<Long>) () -> value.applyAsLong(stats.get()));
    }
}
