/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.util.FileUtils;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A MiniCluster for all tests of a class: two TaskManagers with three slots each, all of Strata's
 * state cold as soon as it is flushed, checkpoints when the test asks for them, with a file for
 * nearly every segment.
 *
 * <p>After each test its jobs are gone, and so is everything they left on the local disks (I10).
 */
final class JobCluster implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final Map<String, String> options;
    private final int taskManagers;
    private final int slots;
    private Path directory;
    private MiniCluster cluster;
    private int used;

    /** Creates a cluster with further options of Flink's. */
    JobCluster(Map<String, String> options) {
        this(options, 2, 3);
    }

    JobCluster(Map<String, String> options, int taskManagers, int slots) {
        this.options = Map.copyOf(options);
        this.taskManagers = taskManagers;
        this.slots = slots;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        directory = Files.createTempDirectory("strata-jobs");
        Configuration configuration = Configuration.fromMap(defaults());
        configuration.addAll(Configuration.fromMap(options));
        cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(configuration)
                                .setNumTaskManagers(taskManagers)
                                .setNumSlotsPerTaskManager(slots)
                                .withRandomPorts()
                                .build());
        cluster.start();
    }

    private Map<String, String> defaults() {
        return Map.ofEntries(
                Map.entry("io.tmp.dirs", temporaryDirectory().toString()),
                Map.entry("taskmanager.memory.managed.size", "48mb"),
                Map.entry("taskmanager.memory.segment-size", "4kb"),
                Map.entry("taskmanager.memory.network.min", "32mb"),
                Map.entry("taskmanager.memory.network.max", "32mb"),
                Map.entry("state.backend.type", "io.strata.flink.StrataStateBackendFactory"),
                Map.entry("state.backend.strata.hot.size", "4mb"),
                Map.entry("state.backend.strata.debug.flush-every-operations", "2000"),
                Map.entry("state.backend.strata.debug.evict-all", "true"),
                Map.entry("state.backend.strata.local-directories", localDirectory().toString()),
                Map.entry("execution.checkpointing.interval", "1h"),
                Map.entry("execution.checkpointing.min-pause", "1h"),
                Map.entry("execution.checkpointing.storage", "filesystem"),
                Map.entry("execution.checkpointing.data-inline-threshold", "1kb"),
                Map.entry(
                        "execution.checkpointing.externalized-checkpoint-retention",
                        "RETAIN_ON_CANCELLATION"),
                Map.entry("pipeline.auto-watermark-interval", "20ms"),
                Map.entry("restart-strategy.type", "fixed-delay"),
                Map.entry("restart-strategy.fixed-delay.delay", "10ms"),
                Map.entry("web.refresh-interval", "50ms"));
    }

    MiniCluster miniCluster() {
        return cluster;
    }

    /** Returns what jobs of this cluster are configured with. */
    Configuration configuration() {
        return cluster.getConfiguration().clone();
    }

    /** Where Strata keeps its segments. */
    Path localDirectory() {
        return directory.resolve("segments");
    }

    /** Where Flink keeps temporary files, and task-local copies of checkpoints. */
    Path temporaryDirectory() {
        return directory.resolve("tmp");
    }

    /** Makes a directory, for checkpoints or savepoints. */
    Path newDirectory(String name) {
        try {
            return Files.createDirectories(directory.resolve("test-" + used++ + "-" + name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lists the files below a directory. */
    static List<Path> filesIn(Path directory) {
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).toList();
        } catch (IOException | UncheckedIOException e) {
            // A file went while we were looking.
            return filesIn(directory);
        }
    }

    /** Waits until a directory holds no file; Flink deletes in the background. */
    static void awaitNoFilesIn(Path directory) {
        await("files gone")
                .atMost(SOON)
                .untilAsserted(() -> assertThat(filesIn(directory)).isEmpty());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        RunningJob.cancelAll(this);
        awaitNoFilesIn(localDirectory());
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        cluster.close();
        FileUtils.deleteDirectory(directory.toFile());
    }
}
