/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** What all rounds of restoring took: medians, spread, and ratios to the last contender. */
final class RestoreTable {

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double BYTES_PER_MIB = 1 << 20;

    private final List<RestoreContender> contenders;
    private final int gets;
    private final Map<Rescale, Map<RestoreContender, List<RestoreTimes>>> rounds =
            new EnumMap<>(Rescale.class);

    RestoreTable(List<RestoreContender> contenders, int gets) {
        this.contenders = contenders;
        this.gets = gets;
    }

    /** Adds a round. */
    void add(Rescale rescale, RestoreContender contender, RestoreTimes times) {
        rounds.computeIfAbsent(rescale, r -> new EnumMap<>(RestoreContender.class))
                .computeIfAbsent(contender, c -> new ArrayList<>())
                .add(times);
    }

    /** Returns the rounds of one contender. */
    List<RestoreTimes> of(Rescale rescale, RestoreContender contender) {
        return rounds.get(rescale).get(contender);
    }

    /** How many times as long as the last contender this one takes: the median of the rounds. */
    double ratio(Rescale rescale, RestoreContender contender, ToLongFunction<RestoreTimes> nanos) {
        List<RestoreTimes> mine = of(rescale, contender);
        List<RestoreTimes> reference = of(rescale, contenders.get(contenders.size() - 1));
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < mine.size(); round++) {
            ratios.add(
                    nanos.applyAsLong(mine.get(round))
                            / (double) nanos.applyAsLong(reference.get(round)));
        }
        return ComparisonTable.median(ratios);
    }

    /** Formats a Markdown table with a line for each change of parallelism and contender. */
    String format() {
        StringBuilder table = new StringBuilder();
        table.append(
                String.format(
                        "| tasks | contender | first read, ms | ratio | %,d gets, ms | both, ms |"
                                + " ratio | read, MiB | of, MiB |%n",
                        gets));
        table.append("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        for (Rescale rescale : rounds.keySet()) {
            for (RestoreContender contender : contenders) {
                table.append(String.format("%n%s", line(rescale, contender)));
            }
        }
        return table.toString();
    }

    private String line(Rescale rescale, RestoreContender contender) {
        List<RestoreTimes> times = of(rescale, contender);
        return String.format(
                "| %s | %s | %s | %.2f | %s | %s | %.2f | %,.1f | %,.1f |",
                rescale.label(),
                contender.label(),
                millis(times, RestoreTimes::openNanos),
                ratio(rescale, contender, RestoreTimes::openNanos),
                millis(times, RestoreTimes::getsNanos),
                millis(times, RestoreTimes::totalNanos),
                ratio(rescale, contender, RestoreTimes::totalNanos),
                times.get(0).readBytes() / BYTES_PER_MIB,
                times.get(0).checkpointBytes() / BYTES_PER_MIB);
    }

    /** The median, and the smallest and largest in brackets. */
    private static String millis(List<RestoreTimes> times, ToLongFunction<RestoreTimes> nanos) {
        List<Double> sorted =
                times.stream()
                        .map(round -> nanos.applyAsLong(round) / NANOS_PER_MILLI)
                        .sorted()
                        .toList();
        return String.format(
                "%,.0f (%,.0f–%,.0f)",
                ComparisonTable.median(sorted), sorted.get(0), sorted.get(sorted.size() - 1));
    }
}
