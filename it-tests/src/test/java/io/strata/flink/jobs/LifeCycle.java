/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import java.util.function.UnaryOperator;
import org.apache.flink.core.execution.RecoveryClaimMode;

/** The way of a job that tests of options send it. */
final class LifeCycle {

    private LifeCycle() {}

    /**
     * Checkpoints, a failure, further checkpoints, cancel, restore of the retained checkpoint at
     * another parallelism, another failure, the end; the results must be right.
     *
     * @param change what to change in the plan for the second run
     */
    static void run(
            JobCluster cluster, JobControl control, JobPlan plan, UnaryOperator<JobPlan> change)
            throws Exception {
        RunningJob first = RunningJob.start(cluster, control, plan.failures(1));
        first.takeCheckpoints(2);
        first.failDuringCheckpoint();
        first.takeCheckpoints(2);

        JobPlan next = change.apply(plan.from(first.cancel(), RecoveryClaimMode.CLAIM));
        RunningJob second = RunningJob.start(cluster, control, next.failures(1));
        second.takeCheckpoints(1);
        second.failDuringCheckpoint();
        second.finishAndCheck();
    }
}
