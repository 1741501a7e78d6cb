/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What one run showed.
 *
 * @param seconds from submission to end
 * @param checked accumulator {@link MemoryJob#CHECKED}
 * @param changes accumulator {@link MemoryJob#CHANGES}
 * @param completedCheckpoints of the job
 * @param failedCheckpoints why checkpoints of the job failed
 * @param metrics Strata's gauges at the end, added up
 * @param watch what the operating system said of the TaskManager
 */
record MemoryReport(
        MemoryOptions options,
        double seconds,
        long checked,
        long changes,
        int completedCheckpoints,
        List<String> failedCheckpoints,
        Map<String, Long> metrics,
        ProcessWatch watch) {

    long metric(String name) {
        return metrics.getOrDefault(name, 0L);
    }

    static String heading() {
        return "type       skew par | keys       changes/s | cold MB | peak RSS MB | files thr |"
                + " stalls total ms longest |   s  chk failed";
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%-10s %-4s %3d | %-10d %9.0f | %7d | %11d | %5d %3d | %6d %8d %7d | %5.1f %3d %6d",
                options.type().name().toLowerCase(Locale.ROOT),
                options.skewed() ? "yes" : "no",
                options.parallelism(),
                options.plan().keys(),
                options.plan().numbers() / seconds,
                metric("coldBytes") >> 20,
                watch.peakBytes() >> 20,
                watch.peakFiles(),
                watch.peakThreads(),
                metric("stalls"),
                metric("stallMillis"),
                metric("longestStallMillis"),
                seconds,
                completedCheckpoints,
                failedCheckpoints.size());
    }
}
