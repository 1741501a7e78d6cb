/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A local disk that fills up while the job runs: the job fails with the directory and what is free,
 * and goes on by itself when there is space again. On a small file system of its own, where the
 * user who runs the test may mount one.
 */
class FullDiskTest {

    @RegisterExtension static final JobCluster CLUSTER = new JobCluster(Map.of());

    private final JobControl control = new JobControl();
    private final Path checkpoints = CLUSTER.newDirectory("checkpoints");
    private final Path disk = CLUSTER.newDirectory("disk");

    @Test
    void theJobGoesOnWhenThereIsSpaceAgain() throws Exception {
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk.toString()));
        try {
            JobPlan plan =
                    JobPlan.fresh(2, checkpoints)
                            .with("state.backend.strata.local-directories", disk.toString())
                            .with("restart-strategy.fixed-delay.delay", "200ms")
                            .failures(10_000);
            RunningJob job = RunningJob.start(CLUSTER, control, plan);
            job.takeCheckpoints(2);
            assertThat(JobCluster.filesIn(disk)).isNotEmpty();

            Path filler = disk.resolve("filler");
            fill(filler);
            String failure = job.awaitFailureWith("the disk of directory");
            assertThat(failure).contains(disk.toString()).contains("bytes are free");
            Files.delete(filler);

            job.awaitRestore();
            job.takeCheckpoints(1);
            job.finishAndCheck();
        } finally {
            RunningJob.cancelAll(CLUSTER);
            JobCluster.awaitNoFilesIn(disk);
            assertThat(run("umount", disk.toString())).isTrue();
        }
    }

    private static void fill(Path file) throws IOException {
        byte[] bytes = new byte[1 << 10];
        boolean full = false;
        try (OutputStream out = Files.newOutputStream(file)) {
            while (!full) {
                full = !write(out, bytes);
            }
        }
    }

    private static boolean write(OutputStream out, byte[] bytes) {
        try {
            out.write(bytes);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean run(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command).inheritIO().start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false; // there is no such command here
        }
    }
}
