/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.operations;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.client.cli.CliFrontend;
import org.apache.flink.configuration.Configuration;

/**
 * Runs the lines of the guide: {@code flink} is Flink's command line client in this process, all
 * else goes to a shell. What a reader copies by hand (job id, savepoint path) becomes a variable.
 */
final class GuideShell {

    private static final Pattern JOB_ID = Pattern.compile("JobID ([0-9a-f]{32})");
    private static final Pattern SAVEPOINT = Pattern.compile("Savepoint completed. Path: (\\S+)");
    private static final Pattern ASSIGNMENT = Pattern.compile("([A-Z_]+)=(\\$\\(.*\\))");
    private static final long SHELL_SECONDS = 20;

    private final Configuration configuration;
    private final Path configurationDirectory;
    private final Map<String, String> variables = new HashMap<>();

    GuideShell(Configuration configuration, Path configurationDirectory, Path jobJar) {
        this.configuration = configuration;
        this.configurationDirectory = configurationDirectory;
        variables.put("JOB_JAR", jobJar.toString());
    }

    String variable(String name) {
        return variables.get(name);
    }

    /** Runs a line and returns what it printed; fails when the line fails. */
    String run(String line) throws Exception {
        Matcher assignment = ASSIGNMENT.matcher(line);
        if (assignment.matches()) {
            String value = shell("echo \"" + assignment.group(2) + "\"").strip();
            variables.put(assignment.group(1), value);
            return value;
        }
        if (!line.startsWith("flink ")) {
            return shell(line);
        }
        String expanded = shell("printf '%s\\n' " + line.substring("flink ".length()));
        String printed = flink(expanded.lines().toArray(String[]::new));
        keep("JOB_ID", JOB_ID, printed);
        keep("SAVEPOINT", SAVEPOINT, printed);
        return printed;
    }

    private void keep(String variable, Pattern pattern, String printed) {
        Matcher matcher = pattern.matcher(printed);
        if (matcher.find()) {
            variables.put(variable, matcher.group(1));
        }
    }

    private String flink(String[] arguments) throws Exception {
        CliFrontend client =
                new CliFrontend(
                        new Configuration(configuration),
                        CliFrontend.loadCustomCommandLines(
                                configuration, configurationDirectory.toString()));
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        int exitCode;
        try {
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            exitCode = client.parseAndRun(arguments);
        } finally {
            System.setOut(before);
        }
        String text = printed.toString(StandardCharsets.UTF_8);
        if (exitCode != 0) {
            throw new AssertionError(
                    "flink "
                            + Arrays.toString(arguments)
                            + " ended with "
                            + exitCode
                            + ": "
                            + text);
        }
        return text;
    }

    private String shell(String command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(List.of("sh", "-c", command));
        builder.environment().putAll(variables);
        Process process = builder.redirectErrorStream(true).start();
        String printed =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(SHELL_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new AssertionError(command + " failed: " + printed);
        }
        return printed;
    }
}
