/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Checkpoints that overlap, overtake records, time out, or come right after a failure. */
class CheckpointUnderPressureTest {

    private static final String CHECKPOINTING = "execution.checkpointing.";

    @RegisterExtension static final JobCluster CLUSTER = new JobCluster(Map.of());

    private final JobControl control = new JobControl();
    private final Path checkpoints = CLUSTER.newDirectory("checkpoints");
    private final JobPlan plan = JobPlan.fresh(2, checkpoints);

    @Test
    void concurrentCheckpoints() throws Exception {
        JobPlan concurrent =
                plan.with(CHECKPOINTING + "max-concurrent-checkpoints", "3")
                        // With a pause, Flink takes one at a time.
                        .with(CHECKPOINTING + "min-pause", "0ms")
                        .failures(2);
        RunningJob job = RunningJob.start(CLUSTER, control, concurrent);
        for (int round = 0; round < 2; round++) {
            job.takeCheckpoints(1);
            job.hold();
            List<CompletableFuture<String>> several = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                several.add(job.startCheckpoint());
                job.awaitEvents(5);
            }
            job.awaitConcurrentCheckpoints(3);
            control.setBlocked(false);
            for (CompletableFuture<String> checkpoint : several) {
                checkpoint.get();
            }
            job.failDuringCheckpoint();
        }
        job.finishAndCheck();
    }

    @Test
    void unalignedCheckpointsAtOtherParallelisms() throws Exception {
        control.setDelayNanos(2_000_000);
        JobPlan unaligned =
                plan.with(CHECKPOINTING + "unaligned.enabled", "true")
                        .with(CHECKPOINTING + "tolerable-failed-checkpoints", "1000");
        RunningJob job = RunningJob.start(CLUSTER, control, unaligned.failures(1));
        job.checkpointWithRecords();
        job.failAndRecover();
        for (int parallelism : new int[] {3, 1, 2}) {
            job.awaitEvents(30);
            job.checkpointWithRecords();
            JobPlan next =
                    unaligned
                            .parallelBehindSources(parallelism)
                            .from(job.cancel(), RecoveryClaimMode.CLAIM);
            job = RunningJob.start(CLUSTER, control, next);
        }
        control.setDelayNanos(0);
        job.finishAndCheck();
    }

    @Test
    void checkpointsThatTimeOutAreForgotten() throws Exception {
        JobPlan impatient =
                plan.with(CHECKPOINTING + "timeout", "2s")
                        .with(CHECKPOINTING + "tolerable-failed-checkpoints", "1000")
                        .failures(1);
        RunningJob job = RunningJob.start(CLUSTER, control, impatient);
        job.takeCheckpoints(1);
        job.hold();
        assertThatThrownBy(() -> job.startCheckpoint().get())
                .hasMessageContaining("expired before completing");
        control.setBlocked(false);
        job.takeCheckpoints(2);
        job.failDuringCheckpoint();
        job.takeCheckpoints(1);
        job.finishAndCheck();
    }

    @Test
    void failuresBeforeTheFirstCheckpointAfterARecovery() throws Exception {
        RunningJob job = RunningJob.start(CLUSTER, control, plan.failures(4));
        job.takeCheckpoints(2);
        for (int failure = 0; failure < 4; failure++) {
            job.failAndRecover();
        }
        job.takeCheckpoints(2);
        job.finishAndCheck();
        assertThat(JobCluster.filesIn(checkpoints)).isEmpty();
    }
}
