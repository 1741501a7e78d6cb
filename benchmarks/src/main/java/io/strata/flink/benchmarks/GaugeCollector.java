/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;

/** A metric group that remembers gauges; groups below it are spelled into the name. */
final class GaugeCollector extends UnregisteredMetricsGroup {

    private final String prefix;
    private final Map<String, Gauge<?>> gauges;

    GaugeCollector() {
        this("", new ConcurrentHashMap<>());
    }

    private GaugeCollector(String prefix, Map<String, Gauge<?>> gauges) {
        this.prefix = prefix;
        this.gauges = gauges;
    }

    /** Returns all gauges that are numbers, as they stand. */
    Map<String, Long> values() {
        Map<String, Long> values = new TreeMap<>();
        gauges.forEach(
                (name, gauge) -> {
                    if (gauge.getValue() instanceof Number number) {
                        values.put(name, number.longValue());
                    }
                });
        return values;
    }

    @Override
    public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
        gauges.put(prefix + name, gauge);
        return gauge;
    }

    @Override
    public MetricGroup addGroup(String name) {
        return new GaugeCollector(prefix + name + '.', gauges);
    }

    @Override
    public MetricGroup addGroup(String key, String value) {
        return new GaugeCollector(prefix + key + '.' + value + '.', gauges);
    }
}
