/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint;
import org.apache.flink.runtime.taskexecutor.TaskManagerRunner;
import org.apache.flink.runtime.util.config.memory.ProcessMemoryUtils;

/**
 * A JobManager or a TaskManager in a JVM of its own. The latter is started as {@code
 * taskmanager.sh} does: with the limits of heap, direct memory and metaspace that Flink derives
 * from the configuration.
 */
final class FlinkProcess implements AutoCloseable {

    private static final List<String> OPENED =
            List.of(
                    "lang",
                    "net",
                    "io",
                    "nio",
                    "lang.reflect",
                    "text",
                    "time",
                    "util",
                    "util.concurrent",
                    "util.concurrent.atomic",
                    "util.concurrent.locks");

    private final Process process;
    private final Path log;

    private FlinkProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts a JobManager. */
    static FlinkProcess master(Configuration configuration, Path directory) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(java());
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC"));
        addMain(command, StandaloneSessionClusterEntrypoint.class, configuration, directory);
        return start(command, directory.resolve("log"));
    }

    /**
     * Starts a TaskManager.
     *
     * @param prefix a command that the JVM is started by, or nothing
     */
    static FlinkProcess worker(List<String> prefix, Configuration configuration, Path directory)
            throws IOException {
        TaskExecutorProcessSpec spec =
                TaskExecutorProcessUtils.processSpecFromConfig(configuration);
        List<String> command = new ArrayList<>(prefix);
        command.add(java());
        command.addAll(words(ProcessMemoryUtils.generateJvmParametersStr(spec)));
        command.add("-XX:+UseG1GC");
        // beyond what Flink sets: nobody may survive an OutOfMemoryError unseen
        command.add("-XX:+ExitOnOutOfMemoryError");
        command.addAll(words(System.getProperty("strata.memory.jvm", "")));
        addMain(command, TaskManagerRunner.class, configuration, directory);
        command.addAll(words(TaskExecutorProcessUtils.generateDynamicConfigsStr(spec)));
        return start(command, directory.resolve("log"));
    }

    private static void addMain(
            List<String> command, Class<?> main, Configuration configuration, Path directory)
            throws IOException {
        Path conf = Files.createDirectories(directory.resolve("conf"));
        List<String> yaml = new ArrayList<>();
        configuration.toMap().forEach((key, value) -> yaml.add(key + ": '" + value + "'"));
        Files.write(conf.resolve("config.yaml"), yaml);
        OPENED.forEach(p -> command.add("--add-opens=java.base/java." + p + "=ALL-UNNAMED"));
        command.addAll(List.of("-cp", classpath(), main.getName()));
        command.addAll(List.of("--configDir", conf.toString()));
    }

    private static FlinkProcess start(List<String> command, Path log) throws IOException {
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        return new FlinkProcess(process, log);
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static List<String> words(String line) {
        return line.isBlank() ? List.of() : Arrays.asList(line.trim().split("\\s+"));
    }

    /** Everything that this JVM runs with, whatever started the tests. */
    private static String classpath() {
        List<String> entries = new ArrayList<>();
        ClassLoader loader = FlinkProcess.class.getClassLoader();
        if (loader instanceof URLClassLoader urls) {
            for (URL url : urls.getURLs()) {
                entries.add(new File(url.getPath()).getPath());
            }
        }
        entries.add(System.getProperty("java.class.path"));
        return String.join(File.pathSeparator, entries);
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Returns what it said, for a failure's message. */
    String log() throws IOException {
        String text = Files.readString(log);
        return text.substring(Math.max(0, text.length() - 20_000));
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }
}
