/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The table of all runs. */
final class ReportTable {

    private static final List<String> HEADER =
            List.of(
                    "backend",
                    "records/s",
                    "checkpoints",
                    "bytes/checkpoint",
                    "hot entries",
                    "hot bytes",
                    "cold records",
                    "cold bytes",
                    "restarts",
                    "results",
                    "digest");

    private ReportTable() {}

    /** Formats the reports, one line each, below a header line. */
    static String format(List<RunReport> reports) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADER);
        reports.forEach(report -> rows.add(row(report)));
        return rows.stream().map(row -> line(row, rows)).collect(Collectors.joining("\n"));
    }

    private static List<String> row(RunReport report) {
        return List.of(
                report.backend(),
                count(report.flightsPerSecond()),
                count(report.checkpoints()),
                Bytes.format(report.medianCheckpointBytes()),
                tier(report, tiers -> count(tiers.hotEntries())),
                tier(report, tiers -> Bytes.format(tiers.hotBytes())),
                tier(report, tiers -> count(tiers.coldRecords())),
                tier(report, tiers -> Bytes.format(tiers.coldBytes())),
                count(report.restarts()),
                count(report.results().size()),
                report.results().digest());
    }

    private static String line(List<String> row, List<List<String>> rows) {
        StringBuilder line = new StringBuilder(String.format("%-8s", row.get(0)));
        for (int column = 1; column < row.size(); column++) {
            int of = column;
            int width = rows.stream().mapToInt(r -> r.get(of).length()).max().orElse(0);
            line.append("  ").append(String.format("%" + width + "s", row.get(column)));
        }
        return line.toString();
    }

    private static String tier(RunReport report, Function<Tiers, String> cell) {
        return report.tiers().map(cell).orElse("–");
    }

    private static String count(long number) {
        return String.format("%,d", number);
    }
}
