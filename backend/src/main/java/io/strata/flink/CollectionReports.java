/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import com.sun.management.GarbageCollectionNotificationInfo;
import io.strata.flink.hot.CollectionReport;
import io.strata.flink.hot.CollectionReport.Scope;
import java.io.Closeable;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells what each collection of garbage of this JVM has left on the heap, right after it, whichever
 * collector the JVM has. The listener is called by a thread of the JVM and must not take long.
 */
final class CollectionReports implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(CollectionReports.class);

    private final List<GarbageCollectorMXBean> collectors =
            ManagementFactory.getGarbageCollectorMXBeans();
    private final Set<String> heapPools = heapPools(false);

    /** The pools in which objects grow old: those whose usage means something at any time. */
    private final Set<String> oldPools = heapPools(true);

    private final Consumer<CollectionReport> listener;

    /** One object, since it is removed by what it is. */
    private final NotificationListener subscription = this::handle;

    /** Begins to tell. */
    CollectionReports(Consumer<CollectionReport> listener) {
        this.listener = listener;
        for (GarbageCollectorMXBean collector : collectors) {
            if (collector instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener(subscription, null, cleansOld(collector));
            }
        }
    }

    private static Set<String> heapPools(boolean old) {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .filter(pool -> !old || pool.isUsageThresholdSupported())
                .map(MemoryPoolMXBean::getName)
                .collect(Collectors.toSet());
    }

    private boolean cleansOld(GarbageCollectorMXBean collector) {
        return Arrays.stream(collector.getMemoryPoolNames()).anyMatch(oldPools::contains);
    }

    private void handle(Notification notification, Object cleansOld) {
        try {
            if (notification
                    .getType()
                    .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
                GarbageCollectionNotificationInfo info =
                        GarbageCollectionNotificationInfo.from(
                                (CompositeData) notification.getUserData());
                report(info, (boolean) cleansOld);
            }
        } catch (RuntimeException e) {
            LOG.warn("Cannot use what the JVM says about a collection of garbage.", e);
        }
    }

    private void report(GarbageCollectionNotificationInfo info, boolean cleansOld) {
        String action = info.getGcAction();
        if (action.contains("pause")) {
            return; // of a concurrent collection, which reports its end by itself
        }
        Scope scope = Scope.FULL;
        if (action.contains("minor")) {
            scope = cleansOld ? Scope.MIXED : Scope.YOUNG;
        }
        listener.accept(
                new CollectionReport(
                        occupancy(info.getGcInfo().getMemoryUsageAfterGc()),
                        scope,
                        TimeUnit.MILLISECONDS.toNanos(info.getGcInfo().getEndTime())));
    }

    /** Of the whole heap, or of the old objects' part of it if that is fuller. */
    private double occupancy(Map<String, MemoryUsage> after) {
        double occupancy = 0;
        long used = 0;
        for (Map.Entry<String, MemoryUsage> pool : after.entrySet()) {
            MemoryUsage usage = pool.getValue();
            if (heapPools.contains(pool.getKey())) {
                used += usage.getUsed();
            }
            if (oldPools.contains(pool.getKey()) && usage.getMax() > 0) {
                occupancy = Math.max(occupancy, (double) usage.getUsed() / usage.getMax());
            }
        }
        return Math.min(1, Math.max(occupancy, (double) used / Runtime.getRuntime().maxMemory()));
    }

    /** Ends it: the JVM holds nothing of this object any more. */
    @Override
    public void close() {
        for (GarbageCollectorMXBean collector : collectors) {
            if (collector instanceof NotificationEmitter emitter) {
                try {
                    emitter.removeNotificationListener(subscription);
                } catch (JMException e) {
                    LOG.warn("Cannot unsubscribe from {}.", collector.getName(), e);
                }
            }
        }
    }
}
