/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.util.FileUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose the files are that a job was restored from. */
class ClaimModeTest {

    @RegisterExtension static final JobCluster CLUSTER = new JobCluster(Map.of());

    private final JobControl control = new JobControl();
    private final Path before = CLUSTER.newDirectory("before");
    private final Path after = CLUSTER.newDirectory("after");

    @ParameterizedTest(name = "from a retained checkpoint: {0}")
    @ValueSource(booleans = {true, false})
    void withoutClaimTheFirstCheckpointNeedsNothingOld(boolean checkpoint) throws Exception {
        JobPlan plan = JobPlan.fresh(2, before);
        String old = run(plan, checkpoint);

        JobPlan next = plan.checkpointsIn(after).from(old, RecoveryClaimMode.NO_CLAIM).failures(1);
        RunningJob job = RunningJob.start(CLUSTER, control, next);
        job.takeCheckpoints(1);
        FileUtils.deleteDirectory(before.toFile());
        job.failAndRecover();
        job.takeCheckpoints(1);
        job.finishAndCheck();
    }

    @Test
    void withoutClaimTheOldFilesStay() throws Exception {
        JobPlan plan = JobPlan.fresh(2, before);
        String old = run(plan, true);
        var files = JobCluster.filesIn(before);
        assertThat(files).isNotEmpty();

        JobPlan next = plan.checkpointsIn(after).from(old, RecoveryClaimMode.NO_CLAIM);
        RunningJob job = RunningJob.start(CLUSTER, control, next);
        job.takeCheckpoints(2);
        job.finishAndCheck();
        assertThat(JobCluster.filesIn(before)).containsExactlyInAnyOrderElementsOf(files);
    }

    @ParameterizedTest(name = "from a retained checkpoint: {0}")
    @ValueSource(booleans = {true, false})
    void aClaimedSnapshotGoesWhenNothingNeedsIt(boolean checkpoint) throws Exception {
        JobPlan plan = JobPlan.fresh(2, before);
        String old = run(plan, checkpoint);

        // Without compaction, later checkpoints would go on referring to the old files.
        JobPlan next =
                plan.checkpointsIn(after)
                        .from(old, RecoveryClaimMode.CLAIM)
                        .with("state.backend.strata.debug.compact-every-flush", "true")
                        .failures(2);
        RunningJob job = RunningJob.start(CLUSTER, control, next);
        job.failAndRecover();
        job.takeCheckpoints(3);
        JobCluster.awaitNoFilesIn(Path.of(URI.create(old)).resolve("_metadata"));
        job.failDuringCheckpoint();
        job.takeCheckpoints(1);
        job.finishAndCheck();
        JobCluster.awaitNoFilesIn(before);
    }

    @Test
    void retainedCheckpointsAreRestoredOneAfterTheOther() throws Exception {
        JobPlan plan = JobPlan.fresh(2, before);
        RunningJob job = RunningJob.start(CLUSTER, control, plan);
        for (RecoveryClaimMode mode :
                new RecoveryClaimMode[] {
                    RecoveryClaimMode.CLAIM, RecoveryClaimMode.NO_CLAIM, RecoveryClaimMode.CLAIM
                }) {
            job.takeCheckpoints(2);
            job = RunningJob.start(CLUSTER, control, plan.from(job.cancel(), mode));
        }
        job.takeCheckpoints(2);
        job.finishAndCheck();
    }

    private String run(JobPlan plan, boolean checkpoint) throws Exception {
        RunningJob job = RunningJob.start(CLUSTER, control, plan);
        job.takeCheckpoints(3);
        return checkpoint ? job.cancel() : job.stop(before, SavepointFormatType.NATIVE);
    }
}
