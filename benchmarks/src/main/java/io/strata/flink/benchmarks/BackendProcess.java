/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The other end of a {@link BackendWorker} in a JVM of its own. */
final class BackendProcess implements AutoCloseable {

    /** What an answer begins with; other lines are passed through. */
    static final String ANSWER = "done ";

    private static final long EXIT_SECONDS = 60;

    private final MeasuredBackend backend;
    private final Process process;
    private final PrintStream commands;
    private final BufferedReader answers;

    BackendProcess(
            MeasuredBackend backend,
            WorkloadOptions options,
            String clock,
            Map<String, String> flinkOptions,
            List<String> jvmOptions)
            throws IOException {
        this.backend = backend;
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(BackendWorker.class.getName());
        command.addAll(List.of("--backend", backend.label(), "--commanded", "true"));
        command.addAll(List.of("--clock", clock));
        command.addAll(Arguments.of(options));
        flinkOptions.forEach((key, value) -> command.add("-D" + key + "=" + value));
        process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        answers =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    MeasuredBackend backend() {
        return backend;
    }

    /** Loads the state of an access; returns nanoseconds an entry. */
    double load(Access access) throws IOException {
        return Double.parseDouble(ask("load " + access.label()));
    }

    /** Does an access so often; returns nanoseconds an operation. */
    double round(Access access, int operations) throws IOException {
        return Double.parseDouble(ask(access.label() + " " + operations));
    }

    /** Returns what the worker tells about itself. */
    String stats() throws IOException {
        return ask("stats");
    }

    private String ask(String command) throws IOException {
        commands.println(command);
        String line = answers.readLine();
        while (line != null && !line.startsWith(ANSWER)) {
            line = answers.readLine();
        }
        if (line == null) {
            throw new IOException("The worker of " + backend.label() + " ended at: " + command);
        }
        return line.substring(ANSWER.length());
    }

    @Override
    public void close() throws InterruptedException {
        commands.close();
        if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
