/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Options of a command line: {@code --name value} pairs and {@code -Dkey=value} for Flink. */
final class Arguments {

    private final Map<String, String> values = new LinkedHashMap<>();
    private final Map<String, String> flinkOptions = new LinkedHashMap<>();

    /**
     * Parses a command line.
     *
     * @param known the options there are
     * @throws IllegalArgumentException for an unknown option or one without its value
     */
    Arguments(List<String> known, String... arguments) {
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            int equals = argument.indexOf('=');
            if (argument.startsWith("-D") && equals > 2) {
                flinkOptions.put(argument.substring(2, equals), argument.substring(equals + 1));
            } else if (!known.contains(argument)) {
                throw new IllegalArgumentException("Unknown option " + argument);
            } else if (i + 1 == arguments.length) {
                throw new IllegalArgumentException(argument + " needs a value");
            } else {
                values.put(argument, arguments[++i]);
            }
        }
    }

    Map<String, String> flinkOptions() {
        return flinkOptions;
    }

    String text(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    /**
     * Returns a whole number.
     *
     * @throws IllegalArgumentException if it is not one, or negative
     */
    int number(String name, int otherwise) {
        String value = values.get(name);
        if (value == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(value.replace("_", ""));
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " needs a whole number: " + value, e);
        }
        throw new IllegalArgumentException(name + " must not be negative: " + value);
    }

    <T> List<T> list(String name, String otherwise, Function<String, T> parse) {
        return new ArrayList<>(
                Arrays.stream(text(name, otherwise).split(",", -1)).map(parse).toList());
    }

    /** The options of the state to measure, which both programs share. */
    WorkloadOptions workload() {
        return new WorkloadOptions(
                number("--keys", 1_000_000),
                Math.max(1, number("--value-bytes", 100)),
                number("--hot-mib", 256),
                number("--managed-mib", 512),
                number("--checkpoint-millis", 10_000));
    }

    /** The other way round: the command line that gives these options. */
    static List<String> of(WorkloadOptions options) {
        return List.of(
                "--keys", Long.toString(options.keys()),
                "--value-bytes", Integer.toString(options.valueBytes()),
                "--hot-mib", Integer.toString(options.hotMib()),
                "--managed-mib", Integer.toString(options.managedMib()),
                "--checkpoint-millis", Integer.toString(options.checkpointMillis()));
    }
}
