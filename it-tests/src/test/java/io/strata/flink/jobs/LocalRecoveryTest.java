/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Local recovery of a whole job. */
class LocalRecoveryTest {

    @RegisterExtension
    static final JobCluster CLUSTER =
            new JobCluster(
                    Map.of(
                            "execution.state-recovery.from-local", "true",
                            "execution.checkpointing.local-backup.enabled", "true"));

    private final JobControl control = new JobControl();
    private final Path checkpoints = CLUSTER.newDirectory("checkpoints");

    @Test
    void throughFailures() throws Exception {
        JobPlan plan = JobPlan.fresh(2, checkpoints).failures(3);
        RunningJob job = RunningJob.start(CLUSTER, control, plan);
        for (int failure = 0; failure < 3; failure++) {
            job.takeCheckpoints(2);
            assertThat(JobCluster.filesIn(CLUSTER.temporaryDirectory()))
                    .anyMatch(file -> file.toString().contains("localState"));
            job.failDuringCheckpoint();
        }
        job.finishAndCheck();
    }
}
