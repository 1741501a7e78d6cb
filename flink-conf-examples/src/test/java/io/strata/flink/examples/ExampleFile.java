/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;

/** An example configuration file: its text, and what Flink reads from it. */
final class ExampleFile {

    private static final Pattern OFFERED = Pattern.compile("#((?:state|execution)\\.\\S+): (.+)");

    private final List<String> lines;

    private ExampleFile(List<String> lines) {
        this.lines = lines;
    }

    static ExampleFile read(Path file) throws IOException {
        return new ExampleFile(Files.readAllLines(file));
    }

    static ExampleFile of(String... lines) {
        return new ExampleFile(List.of(lines));
    }

    /** The options that the file shows behind a comment sign, with the value shown. */
    Map<String, String> offeredOptions() {
        Map<String, String> offered = new LinkedHashMap<>();
        for (String line : lines) {
            Matcher matcher = OFFERED.matcher(line);
            if (matcher.matches()) {
                offered.put(matcher.group(1), matcher.group(2));
            }
        }
        return offered;
    }

    /** The file as it is after a person has removed the comment sign before one option. */
    ExampleFile with(String offeredKey) {
        return new ExampleFile(
                lines.stream()
                        .map(line -> line.startsWith("#" + offeredKey + ":") ? tail(line) : line)
                        .toList());
    }

    /** The file with lines added at its end. */
    ExampleFile plus(String... added) {
        return new ExampleFile(Stream.concat(lines.stream(), Stream.of(added)).toList());
    }

    /** Has Flink read the file, as {@code config.yaml} of a configuration directory. */
    Configuration load(Path emptyDirectory) throws IOException {
        Files.write(emptyDirectory.resolve("config.yaml"), lines);
        return GlobalConfiguration.loadConfiguration(emptyDirectory.toString());
    }

    private static String tail(String line) {
        return line.substring(1);
    }
}
