/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;

/**
 * How to run the job the next time. Immutable: each method returns a changed copy.
 *
 * @param sources parallelism of the source
 * @param parallelism of all other operators
 * @param options Flink's options beyond those of the cluster
 * @param restore what to start from
 * @param nullValues whether the job's map state gets null values
 */
record JobPlan(
        int sources,
        int parallelism,
        Map<String, String> options,
        SavepointRestoreSettings restore,
        boolean nullValues) {

    private static final String RESTARTS = "restart-strategy.fixed-delay.attempts";

    /**
     * A first run: no restore, no failure survived.
     *
     * @param checkpoints where checkpoints go
     */
    static JobPlan fresh(int parallelism, Path checkpoints) {
        return new JobPlan(
                        parallelism, parallelism, Map.of(), SavepointRestoreSettings.none(), true)
                .with("execution.checkpointing.dir", checkpoints.toUri().toString())
                .failures(0);
    }

    JobPlan with(String option, String value) {
        Map<String, String> more = new HashMap<>(options);
        more.put(option, value);
        return new JobPlan(sources, parallelism, Map.copyOf(more), restore, nullValues);
    }

    JobPlan checkpointsIn(Path directory) {
        return with("execution.checkpointing.dir", directory.toUri().toString());
    }

    /** On another backend of Flink's: {@code hashmap} or {@code rocksdb}. */
    JobPlan on(String backend) {
        return with("state.backend.type", backend);
    }

    JobPlan parallel(int subtasks) {
        return new JobPlan(subtasks, subtasks, options, restore, nullValues);
    }

    /**
     * As {@link #parallel}, but for the sources: no lane moves to another one then. When records in
     * flight are restored, a lane that moved is behind the watermarks that are in flight on its new
     * channel, and Flink takes its events for late, on every backend.
     */
    JobPlan parallelBehindSources(int subtasks) {
        return new JobPlan(sources, subtasks, options, restore, nullValues);
    }

    JobPlan withoutNullValues() {
        return new JobPlan(sources, parallelism, options, restore, false);
    }

    /** The job survives so many failures: the ones that the test causes, and no others. */
    JobPlan failures(int count) {
        return with(RESTARTS, Integer.toString(count));
    }

    JobPlan from(String path, RecoveryClaimMode mode) {
        SavepointRestoreSettings settings = SavepointRestoreSettings.forPath(path, false, mode);
        return new JobPlan(sources, parallelism, options, settings, nullValues);
    }

    /** Whether this run or one before it has a changelog. */
    boolean isWithChangelog() {
        return options.containsKey("state.changelog.enabled");
    }

    Configuration configuration(JobCluster cluster) {
        Configuration configuration = cluster.configuration();
        configuration.addAll(Configuration.fromMap(options));
        return configuration;
    }
}
