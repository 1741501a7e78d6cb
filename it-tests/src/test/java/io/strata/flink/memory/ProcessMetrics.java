/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;
import org.apache.flink.metrics.reporter.Scheduled;

/**
 * Writes Strata's gauges, added up over the backends of the process, into a file, where the test
 * reads them. Of a gauge that is gone, the last value counts, until the next job begins. The
 * longest of something is not added up.
 */
public final class ProcessMetrics implements MetricReporter, Scheduled {

    static final String FILE = "file";
    private static final String GROUP = ".strata.";

    private final Map<Gauge<?>, String> open = new ConcurrentHashMap<>();
    private final Map<String, Long> gone = new TreeMap<>();
    private Path file;

    /** Reads what a reporter wrote last. */
    static Map<String, Long> read(Path file) throws IOException {
        Map<String, Long> values = new TreeMap<>();
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                String[] pair = line.split("=");
                values.put(pair[0], Long.parseLong(pair[1]));
            }
        }
        return values;
    }

    @Override
    public void open(MetricConfig config) {
        file = Path.of(config.getString(FILE, ""));
    }

    @Override
    public void close() {}

    @Override
    public synchronized void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
        if (metric instanceof Gauge<?> gauge && group.getMetricIdentifier(name).contains(GROUP)) {
            if (open.isEmpty()) {
                gone.clear();
            }
            open.put(gauge, name);
        }
    }

    @Override
    public synchronized void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {
        if (metric instanceof Gauge<?> gauge && open.remove(gauge) != null) {
            add(gone, name, gauge);
            report();
        }
    }

    @Override
    public synchronized void report() {
        Map<String, Long> values = new TreeMap<>(gone);
        open.forEach((gauge, name) -> add(values, name, gauge));
        StringBuilder lines = new StringBuilder();
        values.forEach((name, value) -> lines.append(name).append('=').append(value).append('\n'));
        try {
            Path next = file.resolveSibling(file.getFileName() + ".next");
            Files.writeString(next, lines);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void add(Map<String, Long> values, String name, Gauge<?> gauge) {
        if (gauge.getValue() instanceof Number number) {
            boolean longest = name.startsWith("longest");
            values.merge(name, number.longValue(), longest ? Math::max : Long::sum);
        }
    }

    /** How Flink creates it; listed in {@code META-INF/services}. */
    public static final class Factory implements MetricReporterFactory {

        @Override
        public MetricReporter createMetricReporter(Properties properties) {
            return new ProcessMetrics();
        }
    }
}
