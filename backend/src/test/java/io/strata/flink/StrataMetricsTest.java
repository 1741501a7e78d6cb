/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.checkpoint.transfer.RestoreStats;
import io.strata.flink.engine.StoreStats;
import io.strata.flink.hot.CollectionReport;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

class StrataMetricsTest {

    private final Map<String, Gauge<?>> gauges = new HashMap<>();

    @Test
    void showsEveryCounterAsItIsPublished() {
        AtomicReference<StoreStats> published = new AtomicReference<>(StoreStats.empty());
        RestoreStats restore = new RestoreStats(21, 22, 23, 24, 25);
        try (ProcessMemory memory = new ProcessMemory()) {
            StrataMetrics.register(new Recorder(""), published::get, restore, memory);
            showsEveryCounter(published, memory);
        }
    }

    private void showsEveryCounter(AtomicReference<StoreStats> published, ProcessMemory memory) {
        assertThat(gauges.values()).filteredOn(gauge -> gauge.getValue().equals(0L)).hasSize(23);
        memory.lease(6400);
        memory.collected(new CollectionReport(0.9, CollectionReport.Scope.FULL, 0));

        long nanos = 18_000_000;
        published.set(
                new StoreStats(
                        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 26, nanos,
                        2 * nanos, 3 * nanos));

        assertThat(gauges).hasSize(28);
        assertThat(gauges.get("strata.hotEntries").getValue()).isEqualTo(1L);
        assertThat(gauges.get("strata.hotBytes").getValue()).isEqualTo(2L);
        assertThat(gauges.get("strata.coldRecords").getValue()).isEqualTo(4L);
        assertThat(gauges.get("strata.coldBytes").getValue()).isEqualTo(5L);
        assertThat(gauges.get("strata.stallMillis").getValue()).isEqualTo(18L);
        assertThat(gauges.get("strata.longestStallMillis").getValue()).isEqualTo(36L);
        assertThat(gauges.get("strata.compactionStallMillis").getValue()).isEqualTo(54L);
        assertThat(gauges.get("strata.restoreSegments").getValue()).isEqualTo(21L);
        assertThat(gauges.get("strata.restoreBytesRead").getValue()).isEqualTo(22L);
        assertThat(gauges.get("strata.restoreBytesOwned").getValue()).isEqualTo(23L);
        assertThat(gauges.get("strata.restoreRecordsRewritten").getValue()).isEqualTo(24L);
        assertThat(gauges.get("strata.restoreMillis").getValue()).isEqualTo(25L);
        assertThat(gauges.get("strata.heapBudgetBytes").getValue()).isEqualTo(1200L);
        assertThat(gauges.get("strata.heapBudgetShrinks").getValue()).isEqualTo(1L);
        // there was one shrink, and is one hot entry
        assertThat(gauges.values().stream().map(Gauge::getValue).distinct()).hasSize(27);
    }

    /** Remembers gauges by their names with their groups. */
    private final class Recorder extends UnregisteredMetricsGroup {

        private final String prefix;

        Recorder(String prefix) {
            this.prefix = prefix;
        }

        @Override
        public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
            gauges.put(prefix + name, gauge);
            return gauge;
        }

        @Override
        public MetricGroup addGroup(String name) {
            return new Recorder(prefix + name + '.');
        }
    }
}
