/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * State of ten times the heap, in a TaskManager process: no OutOfMemoryError, no failed checkpoint,
 * no byte beyond {@code taskmanager.memory.process.size}, every value right.
 *
 * <p>{@code -Dstrata.memory.profile=soak} does it with Flink's default sizes for every type.
 */
class BoundedMemoryTest {

    private static final Logger LOG = LoggerFactory.getLogger(BoundedMemoryTest.class);

    @TempDir Path directory;

    @BeforeEach
    void onLinux() {
        assumeTrue(ProcessWatch.isSupported(), "needs /proc");
    }

    @Test
    void stateOfTenTimesTheHeapStaysWithinTheProcessSize() throws Exception {
        MemoryProfile profile = MemoryProfile.chosen();
        LOG.warn(MemoryReport.heading());
        try (MemoryCluster cluster = MemoryCluster.start(List.of(), profile.memory(), directory)) {
            for (String job : profile.jobs()) {
                check(cluster.run(profile.options(job)), profile);
            }
            assertThat(cluster.workerIsAlive()).isTrue();
        }
    }

    /** The kernel kills whoever takes more; where it does not let us ask for that, skipped. */
    @Test
    void theKernelAgrees() throws Exception {
        MemoryProfile profile = MemoryProfile.small();
        Optional<List<String>> within = MemoryCgroup.commandWithin(profile.processBytes());
        assumeTrue(
                within.isPresent(),
                "No memory cgroup may be made here; name one that may be written in with -D"
                        + MemoryCgroup.PROPERTY);
        try (MemoryCluster cluster =
                MemoryCluster.start(within.get(), profile.memory(), directory)) {
            check(
                    cluster.run(profile.options("--type all --heaps 4 --value-bytes 16000")),
                    profile);
            assertThat(cluster.workerIsAlive()).isTrue();
        }
    }

    private static void check(MemoryReport report, MemoryProfile profile) {
        LOG.warn("{}", report);
        MemoryPlan plan = report.options().plan();
        assertThat(report.checked()).as("keys checked").isEqualTo(plan.keys());
        assertThat(report.changes()).as("changes found").isEqualTo(plan.changes());
        assertThat(report.failedCheckpoints()).as("failed checkpoints").isEmpty();
        assertThat(report.completedCheckpoints()).as("completed checkpoints").isPositive();
        assertThat(report.metric("flushes")).as("flushes").isPositive();
        assertThat(report.watch().peakBytes())
                .as("most that was resident")
                .isBetween(1L << 20, profile.processBytes());
    }
}
