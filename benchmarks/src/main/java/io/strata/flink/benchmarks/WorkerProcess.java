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
import java.util.concurrent.TimeUnit;

/** Another JVM that obeys commands, one a line, and answers each with a line. */
final class WorkerProcess implements AutoCloseable {

    /** What an answer begins with; other lines are passed over. */
    static final String ANSWER = "done ";

    private static final long EXIT_SECONDS = 60;

    private final String name;
    private final Process process;
    private final PrintStream commands;
    private final BufferedReader answers;

    /**
     * Starts the JVM, on the class path of this one.
     *
     * @param name how errors name it
     */
    WorkerProcess(String name, Class<?> program, List<String> arguments, List<String> jvmOptions)
            throws IOException {
        this.name = name;
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(program.getName());
        command.addAll(arguments);
        process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        answers =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /**
     * Gives a command and waits for the answer.
     *
     * @throws IOException if the other JVM ended
     */
    String ask(String command) throws IOException {
        commands.println(command);
        String line = answers.readLine();
        while (line != null && !line.startsWith(ANSWER)) {
            line = answers.readLine();
        }
        if (line == null) {
            throw new IOException("The worker of " + name + " ended at: " + command);
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
