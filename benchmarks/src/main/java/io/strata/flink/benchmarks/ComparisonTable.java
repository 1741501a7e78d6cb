/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Rounds of several backends, measured in turn. The ratio of two backends is the median of the
 * ratios of the rounds that were measured beside each other.
 */
final class ComparisonTable {

    private static final String HEADER =
            String.format(
                    "%-14s %-8s %10s %10s %10s %8s",
                    "access", "backend", "median ns", "min", "max", "ratio");

    private final List<MeasuredBackend> backends;
    private final Map<Access, Map<MeasuredBackend, List<Double>>> rounds =
            new EnumMap<>(Access.class);

    /** Ratios are to the last of the backends. */
    ComparisonTable(List<MeasuredBackend> backends) {
        this.backends = backends;
    }

    /** Adds a round. */
    void add(Access access, MeasuredBackend backend, double nanosPerOperation) {
        rounds.computeIfAbsent(access, a -> new EnumMap<>(MeasuredBackend.class))
                .computeIfAbsent(backend, b -> new ArrayList<>())
                .add(nanosPerOperation);
    }

    /** Nanoseconds an operation, the median of the rounds. */
    double median(Access access, MeasuredBackend backend) {
        return median(rounds.get(access).get(backend));
    }

    /** How many times as long as the last backend this one takes. */
    double ratio(Access access, MeasuredBackend backend) {
        List<Double> mine = rounds.get(access).get(backend);
        List<Double> reference = rounds.get(access).get(backends.get(backends.size() - 1));
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < mine.size(); round++) {
            ratios.add(mine.get(round) / reference.get(round));
        }
        return median(ratios);
    }

    /** Formats a line for each access and backend, below a header line. */
    String format() {
        StringBuilder table = new StringBuilder(HEADER);
        for (Access access : rounds.keySet()) {
            for (MeasuredBackend backend : backends) {
                List<Double> nanos = rounds.get(access).get(backend);
                table.append(
                        String.format(
                                "%n%-14s %-8s %,10.0f %,10.0f %,10.0f %8.2f",
                                access.label(),
                                backend.label(),
                                median(nanos),
                                nanos.stream().mapToDouble(n -> n).min().orElseThrow(),
                                nanos.stream().mapToDouble(n -> n).max().orElseThrow(),
                                ratio(access, backend)));
            }
        }
        return table.toString();
    }

    /** The one in the middle, or between the two there. */
    static double median(List<Double> numbers) {
        List<Double> sorted = numbers.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1
                ? sorted.get(middle)
                : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
