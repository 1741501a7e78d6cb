/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.util.FileUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Native savepoints of a whole job. */
class NativeSavepointTest {

    @RegisterExtension static final JobCluster CLUSTER = new JobCluster(Map.of());

    private final JobControl control = new JobControl();
    private final Path checkpoints = CLUSTER.newDirectory("checkpoints");
    private final Path savepoints = CLUSTER.newDirectory("savepoints");

    @Test
    void theJobIsRightThroughFailuresAndHasColdState() throws Exception {
        JobPlan plan = JobPlan.fresh(2, checkpoints).failures(2);
        RunningJob job = RunningJob.start(CLUSTER, control, plan);
        job.takeCheckpoints(2);
        job.failDuringCheckpoint();
        job.awaitEvents(150);
        assertThat(JobCluster.filesIn(CLUSTER.localDirectory())).hasSizeGreaterThan(10);
        job.failAndRecover();
        job.finishAndCheck();
        assertThat(control.limit()).isGreaterThan(200);
    }

    @ParameterizedTest(name = "{0} to {1}")
    @CsvSource({"2, 2", "2, 3", "3, 1"})
    void isSelfContainedAndRelocatable(int before, int after) throws Exception {
        JobPlan plan = JobPlan.fresh(before, checkpoints);
        RunningJob first = RunningJob.start(CLUSTER, control, plan);
        first.takeCheckpoints(2);
        first.awaitEvents(40);
        Path savepoint = path(first.stop(savepoints, SavepointFormatType.NATIVE));
        FileUtils.deleteDirectory(checkpoints.toFile());
        Path elsewhere = CLUSTER.newDirectory("elsewhere").resolve("savepoint");
        Files.move(savepoint, elsewhere);

        JobPlan next =
                plan.parallel(after)
                        .from(elsewhere.toUri().toString(), RecoveryClaimMode.NO_CLAIM)
                        .failures(1);
        RunningJob second = RunningJob.start(CLUSTER, control, next);
        second.takeCheckpoints(1);
        second.failDuringCheckpoint();
        second.finishAndCheck();
    }

    private static Path path(String uri) {
        return Path.of(java.net.URI.create(uri));
    }
}
