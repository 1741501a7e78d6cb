/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.flink.util.FileUtils;

/** The program: runs the job on each backend in turn, compares, prints the table. */
public final class FlightsExample {

    private static final int EQUAL = 0;
    private static final int DIFFERENT = 1;
    private static final int WRONG_OPTIONS = 2;

    private static final String STRATA_HOT_SIZE = "state.backend.strata.hot.size";

    private final ExampleOptions options;
    private final PrintStream out;
    private final boolean terminal;

    FlightsExample(ExampleOptions options, PrintStream out, boolean terminal) {
        this.options = options;
        this.out = out;
        this.terminal = terminal;
    }

    /** Exits with 0 if all results are equal, 1 if not or if a job fails, 2 for wrong options. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Locale.setDefault(Locale.ROOT);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.exit(exitCode(out, System.console() != null, arguments));
    }

    /** Does all that the program does, but for exiting. */
    static int exitCode(PrintStream out, boolean terminal, String... arguments)
            throws IOException, InterruptedException {
        if (Arrays.asList(arguments).contains("--help")) {
            out.print(ExampleOptions.USAGE);
            return EQUAL;
        }
        Path directory = null;
        try {
            ExampleOptions options = ExampleOptions.parse(arguments);
            directory = Files.createTempDirectory("strata-flights-");
            return new FlightsExample(options, out, terminal).run(directory) ? EQUAL : DIFFERENT;
        } catch (ExampleOptions.UsageException e) {
            out.println(e.getMessage());
            out.println();
            out.print(ExampleOptions.USAGE);
            return WRONG_OPTIONS;
        } catch (ExecutionException e) {
            e.printStackTrace(out);
            return DIFFERENT;
        } finally {
            if (directory != null) {
                FileUtils.deleteDirectory(directory.toFile());
            }
        }
    }

    /**
     * Runs the job on every backend of the options.
     *
     * @param directory for everything the runs write
     * @return whether every run failed once, recovered, and gave the same results as the first
     */
    boolean run(Path directory) throws IOException, ExecutionException, InterruptedException {
        long flights = options.file().countFlights() * options.passes();
        FlightJob job =
                new FlightJob(
                        options.file(),
                        flights,
                        flights / 2,
                        options.flightsPerCheckpoint(),
                        options.growing());
        out.printf("%,d flights from %s%n", flights, options.file().location());
        List<RunReport> reports = new ArrayList<>();
        for (Backend backend : options.backends()) {
            Progress progress = new Progress(out, terminal);
            Path below = Files.createDirectories(directory.resolve(backend.label()));
            reports.add(
                    new JobRun(backend.label(), flinkOptions(backend), job, below)
                            .execute(progress));
            progress.end();
        }
        out.println();
        out.println(ReportTable.format(reports));
        out.println();
        out.println(
                "records/s: flights of the input per second of the whole run, with start, restart"
                        + " and what was read again after it.");
        out.println("hot and cold: Strata's two tiers at the moment when they held most.");
        Verdict verdict = Verdict.on(reports);
        verdict.problems().forEach(out::println);
        if (verdict.isGood() && reports.size() > 1) {
            out.printf("All %,d results are equal.%n", reports.get(0).results().size());
        }
        return verdict.isGood();
    }

    private Map<String, String> flinkOptions(Backend backend) {
        Map<String, String> flinkOptions = new HashMap<>(JobRun.choose(backend));
        if (backend == Backend.STRATA) {
            flinkOptions.put(STRATA_HOT_SIZE, options.hotSize());
        }
        flinkOptions.putAll(options.flinkOptions());
        return flinkOptions;
    }
}
