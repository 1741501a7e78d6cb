/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** What the main methods of all comparisons do around the comparison: help and wrong options. */
final class ComparisonProgram {

    private ComparisonProgram() {}

    /** Compares as the options say, and prints. */
    @FunctionalInterface
    interface Comparison {
        Object compare(PrintStream out, String... arguments)
                throws IOException, InterruptedException;
    }

    /** Runs a comparison, or prints the usage; exits with 2 for wrong options. */
    static void run(String usage, Comparison comparison, String[] arguments)
            throws IOException, InterruptedException {
        Locale.setDefault(Locale.ROOT);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        if (List.of(arguments).contains("--help")) {
            out.print(usage);
            return;
        }
        try {
            comparison.compare(out, arguments);
        } catch (IllegalArgumentException e) {
            out.println(e.getMessage());
            out.print(usage);
            System.exit(2);
        }
    }
}
