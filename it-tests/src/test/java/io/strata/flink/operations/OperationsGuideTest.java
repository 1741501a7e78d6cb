/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Types what docs/operations.md says, and looks whether the job goes on with its state. */
class OperationsGuideTest {

    private static final Path GUIDE =
            Path.of(System.getProperty("strata.project.root"), "docs", "operations.md");
    private static final String PLACE_IN_GUIDE = "/data/flink";
    private static final int NUMBERS_AFTER_START = 500;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir private Path directory;

    @Test
    void everyCommandWorks() throws Exception {
        String text = Files.readString(GUIDE).replace(PLACE_IN_GUIDE, directory.toString());
        GuideCommands guide = new GuideCommands(text);
        List<String> commands = guide.lines("bash");
        assertThat(commands).filteredOn(line -> line.startsWith("flink run")).hasSize(9);
        Configuration configuration = load(guide.lines("yaml"));

        try (MiniCluster cluster = start(configuration)) {
            configuration.set(RestOptions.ADDRESS, cluster.getRestAddress().get().getHost());
            configuration.set(RestOptions.PORT, cluster.getRestAddress().get().getPort());
            GuideShell shell = new GuideShell(configuration, directory, writeJobJar());
            for (String command : commands) {
                shell.run(command);
                if (command.startsWith("flink run")) {
                    awaitProgress(cluster, JobID.fromHexString(shell.variable("JOB_ID")));
                }
            }
        }
    }

    private Configuration load(List<String> yaml) throws Exception {
        Path folder = Files.createDirectory(directory.resolve("conf"));
        Files.write(folder.resolve("config.yaml"), yaml);
        return GlobalConfiguration.loadConfiguration(folder.toString());
    }

    private static MiniCluster start(Configuration configuration) throws Exception {
        Configuration local = new Configuration(configuration);
        local.set(RestOptions.BIND_PORT, "0");
        local.setString("restart-strategy.type", "none");
        MiniCluster cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(local)
                                .setNumTaskManagers(1)
                                .setNumSlotsPerTaskManager(4)
                                .build());
        cluster.start();
        return cluster;
    }

    /** The job checks its own state and fails when it is not the one it left. */
    private static void awaitProgress(MiniCluster cluster, JobID job) {
        long enough = CountingJob.GREATEST.get() + NUMBERS_AFTER_START;
        await().atMost(PATIENCE)
                .until(
                        () -> {
                            JobStatus status = cluster.getJobStatus(job).get();
                            assertThat(status.isTerminalState()).as("job is %s", status).isFalse();
                            return CountingJob.GREATEST.get() > enough;
                        });
    }

    /** The classes are on the class path already: the jar only says which one to start. */
    private Path writeJobJar() throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, CountingJob.class.getName());
        Path jar = directory.resolve("counting-job.jar");
        try (OutputStream file = Files.newOutputStream(jar)) {
            new JarOutputStream(file, manifest).close();
        }
        return jar;
    }
}
