/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Flink's changelog over Strata. Whatever the backend below, it only allows CLAIM, and cannot log
 * null values of a map.
 */
class ChangelogTest {

    private static final String CHANGELOG = "state.changelog.";

    @RegisterExtension static final JobCluster CLUSTER = new JobCluster(Map.of());

    private final JobControl control = new JobControl();
    private final Path checkpoints = CLUSTER.newDirectory("checkpoints");
    private final Path changes = CLUSTER.newDirectory("changes");
    private final JobPlan plan =
            JobPlan.fresh(2, checkpoints)
                    .withoutNullValues()
                    .with(CHANGELOG + "enabled", "true")
                    .with(CHANGELOG + "storage", "filesystem")
                    .with(CHANGELOG + "dstl.dfs.base-path", changes.toUri().toString())
                    .with(CHANGELOG + "periodic-materialize.interval", "150ms");

    @ParameterizedTest
    @ValueSource(strings = {"filesystem", "memory"})
    void throughFailureAndRescale(String storage) throws Exception {
        JobPlan stored = plan.with(CHANGELOG + "storage", storage);
        LifeCycle.run(CLUSTER, control, stored, next -> next.parallel(3));
    }

    @Test
    void switchedOnOverACheckpoint() throws Exception {
        JobPlan off = plan.with(CHANGELOG + "enabled", "false");
        LifeCycle.run(CLUSTER, control, off, next -> next.with(CHANGELOG + "enabled", "true"));
    }

    @Test
    void switchedOff() throws Exception {
        LifeCycle.run(CLUSTER, control, plan, next -> next.with(CHANGELOG + "enabled", "false"));
    }
}
