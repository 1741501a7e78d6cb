/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import java.util.ArrayList;
import java.util.List;

/**
 * Whether the runs went as they should: each failed once and recovered, and all gave the results of
 * the first.
 *
 * @param problems what did not; empty if all is well
 */
record Verdict(List<String> problems) {

    private static final int SHOWN_DIFFERENCES = 10;

    static Verdict on(List<RunReport> reports) {
        List<String> problems = new ArrayList<>();
        RunReport first = reports.get(0);
        for (RunReport report : reports) {
            if (report.restarts() != 1) {
                problems.add(
                        report.backend()
                                + ": expected 1 restart from a checkpoint, but there were "
                                + report.restarts());
            }
            List<String> differences =
                    first.results()
                            .differences(
                                    first.backend(),
                                    report.results(),
                                    report.backend(),
                                    SHOWN_DIFFERENCES);
            if (!differences.isEmpty()) {
                problems.add(first.backend() + " and " + report.backend() + " differ:");
                problems.addAll(differences);
            }
        }
        return new Verdict(problems);
    }

    boolean isGood() {
        return problems.isEmpty();
    }
}
