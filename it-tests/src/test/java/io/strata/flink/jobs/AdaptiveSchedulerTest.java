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

/** Rescaling of a running job by the adaptive scheduler. */
class AdaptiveSchedulerTest {

    private static final String SCHEDULER = "jobmanager.adaptive-scheduler.";

    @RegisterExtension
    static final JobCluster CLUSTER =
            new JobCluster(
                    Map.of(
                            "jobmanager.scheduler",
                            "adaptive",
                            SCHEDULER + "executing.cooldown-after-rescaling",
                            "0ms",
                            SCHEDULER + "executing.resource-stabilization-timeout",
                            "10ms",
                            SCHEDULER + "submission.resource-stabilization-timeout",
                            "10ms",
                            SCHEDULER + "rescale-trigger.max-delay",
                            "10ms"),
                    2,
                    2);

    private final JobControl control = new JobControl();
    private final Path checkpoints = CLUSTER.newDirectory("checkpoints");

    @Test
    void rescalesWhenAskedAndWhenTaskManagersComeAndGo() throws Exception {
        // A lost TaskManager counts as a failure.
        JobPlan plan = JobPlan.fresh(6, checkpoints).failures(1);
        RunningJob job = RunningJob.start(CLUSTER, control, plan);
        job.awaitParallelism(4);
        job.takeCheckpoints(2);

        job.requireParallelism(1);
        job.awaitParallelism(1);
        job.takeCheckpoints(2);

        job.requireParallelism(6);
        CLUSTER.miniCluster().startTaskManager();
        job.awaitParallelism(6);
        job.takeCheckpoints(2);

        CLUSTER.miniCluster().terminateTaskManager(2).get();
        job.awaitParallelism(4);
        job.awaitEvents(40);
        assertThat(job.restores()).isGreaterThan(0);
        job.finishAndCheck();
    }
}
