/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.core.execution.SavepointFormatType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Changes of parallelism under load. */
class RescaleTest {

    /** With copies of segments; in the other tests they are links. */
    @RegisterExtension
    static final JobCluster CLUSTER =
            new JobCluster(Map.of("state.backend.strata.restore.links", "false"));

    private final JobControl control = new JobControl();
    private final Path checkpoints = CLUSTER.newDirectory("checkpoints");
    private final Path savepoints = CLUSTER.newDirectory("savepoints");

    @Test
    void fromRetainedCheckpointsAndSavepoints() throws Exception {
        JobPlan plan = JobPlan.fresh(1, checkpoints);
        RunningJob job = RunningJob.start(CLUSTER, control, plan);
        boolean retained = false;
        for (int parallelism : new int[] {2, 5, 3, 1}) {
            job.takeCheckpoints(2);
            retained = !retained;
            String path =
                    retained ? job.cancel() : job.stop(savepoints, SavepointFormatType.NATIVE);
            JobPlan next = plan.parallel(parallelism).from(path, RecoveryClaimMode.NO_CLAIM);
            job = RunningJob.start(CLUSTER, control, next);
        }
        job.awaitEvents(40);
        job.finishAndCheck();
    }
}
