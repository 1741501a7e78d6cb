/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a main class of the tests in a JVM of its own, with the class path of this one. */
public final class ForkedJvm {

    private static final long TIMEOUT_SECONDS = 180;

    private ForkedJvm() {}

    /** How it ended, and all that it printed. */
    public record Result(int exitCode, String output) {}

    /**
     * Runs it to its end.
     *
     * @param scratch where its output goes
     * @param options of the JVM
     */
    public static Result run(
            Path scratch, Class<?> main, List<String> options, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(), main.getName()));
        command.addAll(arguments);
        Path output = scratch.resolve("output-of-jvm.txt");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError(
                        "Still runs after %d s: %s%n%s"
                                .formatted(TIMEOUT_SECONDS, command, Files.readString(output)));
            }
        } finally {
            process.destroyForcibly();
        }
        return new Result(process.exitValue(), Files.readString(output));
    }

    /** Whoever starts tests may put the classes into a class loader of its own. */
    private static String classPath() {
        List<String> parts = new ArrayList<>();
        if (ForkedJvm.class.getClassLoader() instanceof URLClassLoader loader) {
            for (URL url : loader.getURLs()) {
                parts.add(url.getPath());
            }
        }
        parts.add(System.getProperty("java.class.path"));
        return String.join(File.pathSeparator, parts);
    }
}
