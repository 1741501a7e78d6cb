/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the command line asks for.
 *
 * @param file the flights
 * @param passes how often the file is read, each time on later days
 * @param backends the backends to run on, in this order
 * @param growing whether to keep every flight for ever
 * @param flightsPerCheckpoint pace of the source, or 0
 * @param hotSize budget of Strata's hot tier
 * @param flinkOptions further options of Flink's configuration
 */
record ExampleOptions(
        FlightFile file,
        int passes,
        List<Backend> backends,
        boolean growing,
        int flightsPerCheckpoint,
        String hotSize,
        Map<String, String> flinkOptions) {

    static final String USAGE =
            """
            Usage: flights [options]

            Runs one job over real flights on hashmap, rocksdb and strata, with a failure in the
            middle of each run, and compares the results record for record.

              --flights PATH    gzipped CSV file instead of the 400,000 flights that come along
              --passes N        read the file N times, each time on later days (default 1,
                                with --grow 10)
              --backends A,B    a choice of hashmap, rocksdb, strata (default all,
                                with --grow strata)
              --grow            keep every flight for ever, one key each, and watch the tiers
              --hot SIZE        heap for Strata's hot tier (default 4mb, with --grow 64mb)
              --pace N          read at most N flights between two checkpoints
              -Dkey=value       any further option of Flink
              --help            this text

            Exit code: 0 if all results are equal, 1 if they differ or a job fails, 2 for wrong
            options.
            """;

    private static final int GROWING_PASSES = 10;

    /**
     * Parses the command line.
     *
     * @throws UsageException naming every wrong option
     */
    static ExampleOptions parse(String... arguments) throws UsageException {
        return new Parser().parse(arguments);
    }

    /** Collects the options, and all that is wrong with them. */
    private static final class Parser {

        private final List<String> problems = new ArrayList<>();
        private final Map<String, String> flinkOptions = new LinkedHashMap<>();
        private FlightFile file = FlightFile.SHIPPED;
        private int passes;
        private List<Backend> backends = List.of();
        private boolean growing;
        private int flightsPerCheckpoint;
        private String hotSize;

        ExampleOptions parse(String... arguments) throws UsageException {
            List<String> rest = new ArrayList<>(Arrays.asList(arguments));
            while (!rest.isEmpty()) {
                option(rest.remove(0), rest);
            }
            if (!problems.isEmpty()) {
                throw new UsageException(String.join(System.lineSeparator(), problems));
            }
            if (passes == 0) {
                passes = growing ? GROWING_PASSES : 1;
            }
            if (backends.isEmpty()) {
                backends = growing ? List.of(Backend.STRATA) : List.of(Backend.values());
            }
            if (hotSize == null) {
                hotSize = growing ? "64mb" : "4mb";
            }
            return new ExampleOptions(
                    file, passes, backends, growing, flightsPerCheckpoint, hotSize, flinkOptions);
        }

        private void option(String name, List<String> rest) {
            if (name.startsWith("-D") && name.indexOf('=') > 2) {
                int equals = name.indexOf('=');
                flinkOptions.put(name.substring(2, equals), name.substring(equals + 1));
                return;
            }
            switch (name) {
                case "--grow" -> growing = true;
                case "--flights" -> file = file(value(name, rest));
                case "--passes" -> passes = positive(name, value(name, rest));
                case "--pace" -> flightsPerCheckpoint = positive(name, value(name, rest));
                case "--hot" -> hotSize = value(name, rest);
                case "--backends" -> backends = backends(value(name, rest));
                default -> problems.add("Unknown option " + name);
            }
        }

        private String value(String name, List<String> rest) {
            if (rest.isEmpty()) {
                problems.add(name + " needs a value");
                return "";
            }
            return rest.remove(0);
        }

        private FlightFile file(String path) {
            if (!Files.isReadable(Path.of(path))) {
                problems.add("--flights: cannot read " + path);
            }
            return new FlightFile(path);
        }

        private int positive(String name, String value) {
            try {
                int number = Integer.parseInt(value);
                if (number > 0) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // Told below, together with zero and negative numbers.
            }
            problems.add(name + " needs a whole number above 0, not '" + value + "'");
            return 1;
        }

        private List<Backend> backends(String value) {
            List<Backend> chosen = new ArrayList<>();
            for (String label : value.split(",", -1)) {
                Backend.of(label)
                        .ifPresentOrElse(
                                chosen::add,
                                () ->
                                        problems.add(
                                                "--backends knows hashmap, rocksdb and strata,"
                                                        + " not '"
                                                        + label
                                                        + "'"));
            }
            return chosen;
        }
    }

    /** Tells what is wrong with the command line. */
    static final class UsageException extends Exception {

        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message);
        }
    }
}
