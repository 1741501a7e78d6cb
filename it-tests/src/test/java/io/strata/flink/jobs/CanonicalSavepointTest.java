/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.core.execution.SavepointFormatType;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Canonical savepoints of a whole job, from one backend to another. */
class CanonicalSavepointTest {

    private static final String STRATA = "io.strata.flink.StrataStateBackendFactory";

    @RegisterExtension static final JobCluster CLUSTER = new JobCluster(Map.of());

    private final JobControl control = new JobControl();
    private final Path checkpoints = CLUSTER.newDirectory("checkpoints");
    private final Path savepoints = CLUSTER.newDirectory("savepoints");

    @ParameterizedTest(name = "{0} to {1}, parallelism {2} to {3} of {4}")
    @CsvSource({
        "strata, hashmap, 2, 3, 128",
        "strata, rocksdb, 3, 2, 4096",
        "hashmap, strata, 2, 3, 4096",
        "rocksdb, strata, 3, 2, 128",
        "strata, strata, 2, 2, 4096",
    })
    void moves(String from, String to, int before, int after, String maxParallelism)
            throws Exception {
        JobPlan plan =
                JobPlan.fresh(before, checkpoints)
                        .with("pipeline.max-parallelism", maxParallelism)
                        .on(type(from));
        if (from.equals("hashmap")) {
            // It cannot write null values of a map to a canonical savepoint.
            plan = plan.withoutNullValues();
        }
        RunningJob first = RunningJob.start(CLUSTER, control, plan);
        first.takeCheckpoints(1);
        first.awaitEvents(40);
        String savepoint = first.stop(savepoints, SavepointFormatType.CANONICAL);

        JobPlan next =
                plan.on(type(to))
                        .parallel(after)
                        .from(savepoint, RecoveryClaimMode.NO_CLAIM)
                        .failures(1);
        RunningJob second = RunningJob.start(CLUSTER, control, next);
        second.takeCheckpoints(2);
        second.failDuringCheckpoint();
        second.finishAndCheck();
    }

    private static String type(String backend) {
        return backend.equals("strata") ? STRATA : backend;
    }
}
