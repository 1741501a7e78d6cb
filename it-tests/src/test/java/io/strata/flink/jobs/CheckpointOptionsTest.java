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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flink's options of checkpoints, each through failure and rescale. */
class CheckpointOptionsTest {

    private static final String MERGING = "execution.checkpointing.file-merging.";

    @RegisterExtension static final JobCluster CLUSTER = new JobCluster(Map.of());

    private final JobControl control = new JobControl();
    private final Path checkpoints = CLUSTER.newDirectory("checkpoints");
    private final JobPlan plan = JobPlan.fresh(2, checkpoints);

    @ParameterizedTest(name = "across checkpoints: {0}")
    @ValueSource(booleans = {true, false})
    void fileMerging(boolean across) throws Exception {
        JobPlan merging =
                plan.with(MERGING + "enabled", "true")
                        .with(MERGING + "across-checkpoint-boundary", Boolean.toString(across));
        LifeCycle.run(CLUSTER, control, merging, next -> next.parallel(3));
    }

    @Test
    void snapshotCompression() throws Exception {
        JobPlan compressing = plan.with("execution.checkpointing.snapshot-compression", "true");
        LifeCycle.run(CLUSTER, control, compressing, next -> next.parallel(1));
    }

    @Test
    void notIncremental() throws Exception {
        JobPlan full = plan.with("execution.checkpointing.incremental", "false");
        LifeCycle.run(
                CLUSTER,
                control,
                full,
                next -> next.parallel(3).with("execution.checkpointing.incremental", "true"));
    }

    @Test
    void twoByteKeyGroups() throws Exception {
        JobPlan wide = plan.with("pipeline.max-parallelism", "4096");
        LifeCycle.run(CLUSTER, control, wide, next -> next.parallel(5));
    }

    @Test
    void checkpointsInTheJobManager() throws Exception {
        JobPlan inMemory =
                plan.with("execution.checkpointing.storage", "jobmanager")
                        .with(
                                "execution.checkpointing.externalized-checkpoint-retention",
                                "NO_EXTERNALIZED_CHECKPOINTS")
                        .failures(2);
        RunningJob job = RunningJob.start(CLUSTER, control, inMemory);
        for (int round = 0; round < 2; round++) {
            job.takeCheckpoints(2);
            job.failDuringCheckpoint();
        }
        job.finishAndCheck();
        assertThat(JobCluster.filesIn(checkpoints)).isEmpty();
    }
}
