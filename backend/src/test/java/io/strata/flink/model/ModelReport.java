/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Runs a seed and, where it fails, tells how to replay it and what a short failing list is. */
final class ModelReport {
    private static final int MOST_SHOWN = 60;
    private static final int LONGEST_SHOWN = 1500;

    private final BackendUnderTest subject;
    private final Path directory;
    private final int operations;
    private final long shrinkMillis;

    ModelReport(BackendUnderTest subject, Path directory, int operations, long shrinkMillis) {
        this.subject = subject;
        this.directory = directory;
        this.operations = operations;
        this.shrinkMillis = shrinkMillis;
    }

    /** Returns the report of a failure, nothing if the seed passes. */
    Optional<String> run(long seed) throws Exception {
        Scenario scenario = Scenario.draw(seed);
        List<Operation> drawn = new OperationGenerator(scenario, subject).draw(operations);
        ModelRun run = new ModelRun(scenario, subject, directory);
        Optional<ModelRun.Difference> difference = run.run(drawn);
        if (difference.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(report(scenario, drawn, run, difference.get()));
    }

    private String report(
            Scenario scenario, List<Operation> drawn, ModelRun run, ModelRun.Difference first)
            throws Exception {
        List<Operation> prefix = drawn.subList(0, Math.min(first.index() + 1, drawn.size()));
        List<Operation> shortest =
                new Shrinker(candidate -> run.run(candidate).isPresent(), shrinkMillis)
                        .shrink(prefix);
        ModelRun.Difference shown =
                shortest.size() < prefix.size() ? run.run(shortest).orElse(first) : first;
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        out.println(subject.name() + " differs from hashmap, seed " + scenario.seed());
        out.println("replay: " + replayCommand(scenario));
        out.println(scenario + " " + scenario.optionsOf(subject));
        out.println("first seen at operation " + first.index() + " of " + drawn.size());
        printDifference(out, shown);
        out.println("a shorter list of " + shortest.size() + " operations that fails:");
        shortest.stream().limit(MOST_SHOWN).forEach(operation -> out.println("  " + operation));
        return text.toString();
    }

    private String replayCommand(Scenario scenario) {
        return "mvn verify -pl backend -am -Dtest=ModelTest -Dsurefire.failIfNoSpecifiedTests=false"
                + " -Dstrata.model.seed="
                + scenario.seed()
                + " -Dstrata.model.operations="
                + operations;
    }

    private static void printDifference(PrintWriter out, ModelRun.Difference difference) {
        String expected = String.valueOf(difference.expected());
        String actual = String.valueOf(difference.actual());
        int common = 0;
        while (common < Math.min(expected.length(), actual.length())
                && expected.charAt(common) == actual.charAt(common)) {
            common++;
        }
        int from = Math.max(0, common - 100);
        out.println("operation: " + difference.operation());
        out.println("expected:  " + cut(expected, from));
        out.println("actual:    " + cut(actual, from));
        if (difference.thrown() != null) {
            difference.thrown().printStackTrace(out);
        }
    }

    private static String cut(String text, int from) {
        String end = text.substring(Math.min(from, text.length()));
        return (from > 0 ? "…" : "") + end.substring(0, Math.min(LONGEST_SHOWN, end.length()));
    }
}
