/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.strata.flink.hot.CollectionReport;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is heard of the collector of this JVM. */
class CollectionReportsTest {

    @Test
    void tellsOfCollectionsAndWhatTheyLeft() {
        List<CollectionReport> reports = new CopyOnWriteArrayList<>();
        try (CollectionReports subscription = new CollectionReports(reports::add)) {
            System.gc();
            await().until(() -> has(reports, CollectionReport.Scope.FULL));
            double before = occupancy(reports);

            long kept = Runtime.getRuntime().maxMemory() / 10;
            List<byte[]> held = new ArrayList<>();
            for (long bytes = 0; bytes < kept; bytes += 1 << 16) {
                held.add(new byte[1 << 16]);
            }
            reports.clear();
            System.gc();
            await().until(() -> has(reports, CollectionReport.Scope.FULL));
            assertThat(held).isNotEmpty();
            assertThat(occupancy(reports) - before).isBetween(0.08, 0.15);
        }
    }

    /** The quickest of some, since this machine may be busy with other things. */
    @Test
    void tellsWithinASecond() {
        List<Long> delaysMillis = new CopyOnWriteArrayList<>();
        try (CollectionReports subscription =
                new CollectionReports(report -> delaysMillis.add(delayMillis(report)))) {
            for (int i = 1; i <= 5; i++) {
                int expected = i;
                System.gc();
                await().until(() -> delaysMillis.size() >= expected);
            }
        }
        assertThat(delaysMillis).anyMatch(delay -> delay < 1000);
    }

    private static long delayMillis(CollectionReport report) {
        return ManagementFactory.getRuntimeMXBean().getUptime()
                - TimeUnit.NANOSECONDS.toMillis(report.nanos());
    }

    @Test
    void hearsNothingAfterTheEndAndIsHeldByNothing() {
        AtomicInteger heard = new AtomicInteger();
        WeakReference<CollectionReports> ended = endedSubscription(heard);
        int before = heard.get();
        await().atMost(Duration.ofSeconds(30))
                .until(
                        () -> {
                            System.gc();
                            return ended.refersTo(null);
                        });
        assertThat(heard.get()).isEqualTo(before);
    }

    /** The last backend of the process takes the subscription with it. */
    @Test
    void processResourcesSubscribeWhileTheyAreUsed() {
        ProcessResources.Use first = ProcessResources.use(1 << 20, 2, 0);
        WeakReference<ProcessMemory> memory = new WeakReference<>(first.memory());
        boolean alone = ProcessResources.users() == 1;
        ProcessResources.Use second = ProcessResources.use(1 << 20, 2, 0);
        for (ProcessResources.Use use : List.of(first, second)) {
            assertThat(use.memory()).isSameAs(memory.get());
            use.heapLease().close();
            use.close();
        }
        if (alone) {
            ProcessResources.Use next = ProcessResources.use(1 << 20, 2, 0);
            assertThat(next.memory()).isNotSameAs(memory.get());
            next.heapLease().close();
            next.close();
        }
    }

    private static WeakReference<CollectionReports> endedSubscription(AtomicInteger heard) {
        CollectionReports reports = new CollectionReports(report -> heard.incrementAndGet());
        reports.close();
        return new WeakReference<>(reports);
    }

    private static boolean has(List<CollectionReport> reports, CollectionReport.Scope scope) {
        return reports.stream().anyMatch(report -> report.scope() == scope);
    }

    private static double occupancy(List<CollectionReport> reports) {
        return reports.stream()
                .filter(report -> report.scope() == CollectionReport.Scope.FULL)
                .mapToDouble(CollectionReport::occupancy)
                .findFirst()
                .orElseThrow();
    }
}
