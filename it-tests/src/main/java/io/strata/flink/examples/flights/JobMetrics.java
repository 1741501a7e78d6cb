/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;

/**
 * A metric reporter for the same process: how far the job has come, and how much lies in Strata's
 * tiers. Gauges are added up over all subtasks of the process; any thread may read.
 */
final class JobMetrics implements MetricReporter {

    /** The group under which Strata registers its gauges. */
    private static final String STRATA = "strata";

    /** Flink makes the reporter, so what it sees has to be found without it. */
    private static final Map<Metric, String> GAUGES = new ConcurrentHashMap<>();

    /** Returns the number of flights that have been read. */
    static long position() {
        return sum(FailOnce.POSITION);
    }

    /** Returns what the tiers hold now, or nothing while no Strata backend runs. */
    static Optional<Tiers> tiers() {
        if (!GAUGES.containsValue(strata("hotEntries"))) {
            return Optional.empty();
        }
        return Optional.of(
                new Tiers(
                        sum(strata("hotEntries")),
                        sum(strata("hotBytes")),
                        sum(strata("coldRecords")),
                        sum(strata("coldBytes"))));
    }

    @Override
    public void open(MetricConfig config) {}

    @Override
    public void close() {}

    @Override
    public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
        if (!(metric instanceof Gauge)) {
            return;
        }
        if (name.equals(FailOnce.POSITION)) {
            GAUGES.put(metric, name);
        } else if (group.getMetricIdentifier(name).endsWith('.' + strata(name))) {
            GAUGES.put(metric, strata(name));
        }
    }

    @Override
    public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {
        GAUGES.remove(metric);
    }

    private static String strata(String name) {
        return STRATA + '.' + name;
    }

    private static long sum(String name) {
        long sum = 0;
        for (Map.Entry<Metric, String> gauge : GAUGES.entrySet()) {
            if (gauge.getValue().equals(name)
                    && ((Gauge<?>) gauge.getKey()).getValue() instanceof Number number) {
                sum += number.longValue();
            }
        }
        return sum;
    }
}
