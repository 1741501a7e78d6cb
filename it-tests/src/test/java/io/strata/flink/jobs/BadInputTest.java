/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.core.execution.SavepointFormatType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Restores that are refused with a message that helps, leave the snapshot as it was, and work when
 * the cause is gone; directories that cannot be used.
 */
class BadInputTest {

    private static final String MAX_PARALLELISM = "pipeline.max-parallelism";
    private static final String LOCAL_DIRECTORIES = "state.backend.strata.local-directories";

    @RegisterExtension static final JobCluster CLUSTER = new JobCluster(Map.of());

    private final JobControl control = new JobControl();
    private final Path before = CLUSTER.newDirectory("before");
    private final Path after = CLUSTER.newDirectory("after");
    private final Path savepoints = CLUSTER.newDirectory("savepoints");
    private final JobPlan plan = JobPlan.fresh(2, before);

    /** Why a directory cannot be used. */
    private enum Obstacle {
        NO_RIGHTS,
        FILE_IN_ITS_PLACE;

        void put(Path directory) throws IOException {
            switch (this) {
                case NO_RIGHTS -> takeRights(directory);
                case FILE_IN_ITS_PLACE -> {
                    Files.delete(directory);
                    Files.createFile(directory);
                }
            }
        }

        void remove(Path directory) throws IOException {
            switch (this) {
                case NO_RIGHTS -> giveRights(directory);
                case FILE_IN_ITS_PLACE -> {
                    Files.delete(directory);
                    Files.createDirectory(directory);
                }
            }
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource({"CHECKPOINT, CLAIM", "NATIVE, NO_CLAIM", "CANONICAL, NO_CLAIM"})
    void anotherMaximumParallelism(String kind, RecoveryClaimMode mode) throws Exception {
        JobPlan of128 = plan.with(MAX_PARALLELISM, "128");
        RunningJob first = RunningJob.start(CLUSTER, control, of128);
        first.takeCheckpoints(1);
        String old =
                kind.equals("CHECKPOINT")
                        ? first.cancel()
                        : first.stop(savepoints, SavepointFormatType.valueOf(kind));
        Path snapshot = Path.of(URI.create(old)).getParent();
        Map<Path, Integer> files = contents(snapshot);
        long emitted = control.furthest();

        JobPlan next = of128.checkpointsIn(after).from(old, mode);
        RunningJob wrong = RunningJob.submit(CLUSTER, control, next.with(MAX_PARALLELISM, "64"));
        assertThat(wrong.awaitFailure())
                .hasStackTraceContaining("Max parallelism mismatch")
                .hasStackTraceContaining("128")
                .hasStackTraceContaining("64");
        assertThat(control.furthest()).isEqualTo(emitted);
        assertThat(contents(snapshot)).isEqualTo(files);

        RunningJob.start(CLUSTER, control, next).finishAndCheck();
    }

    @ParameterizedTest
    @EnumSource
    void localDirectoryThatCannotBeUsed(Obstacle obstacle) throws Exception {
        Path local = CLUSTER.newDirectory("local");
        RunningJob first = RunningJob.start(CLUSTER, control, plan);
        first.takeCheckpoints(1);
        String old = first.cancel();
        Map<Path, Integer> files = contents(before);

        JobPlan next =
                plan.checkpointsIn(after)
                        .from(old, RecoveryClaimMode.NO_CLAIM)
                        .with(LOCAL_DIRECTORIES, local.toString());
        obstacle.put(local);
        assertThat(RunningJob.submit(CLUSTER, control, next).awaitFailure())
                .hasStackTraceContaining("Cannot use the local directory '" + local + "'")
                .hasStackTraceContaining(LOCAL_DIRECTORIES);
        obstacle.remove(local);
        assertThat(contents(before)).isEqualTo(files);

        RunningJob.start(CLUSTER, control, next).finishAndCheck();
        assertThat(JobCluster.filesIn(local)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void checkpointDirectoryThatCannotBeUsed(Obstacle obstacle) throws Exception {
        JobPlan tolerant =
                plan.with("execution.checkpointing.tolerable-failed-checkpoints", "100")
                        .failures(1);
        RunningJob job = RunningJob.start(CLUSTER, control, tolerant);
        Path shared = job.checkpointDirectory().resolve("shared");
        job.awaitEvents(40);
        obstacle.put(shared);
        assertThatThrownBy(job::checkpoint).hasStackTraceContaining(shared.toString());
        obstacle.remove(shared);

        job.takeCheckpoints(1);
        job.failAndRecover();
        job.finishAndCheck();
    }

    @Test
    void segmentThatMayNotBeRead() throws Exception {
        RunningJob first = RunningJob.start(CLUSTER, control, plan);
        first.takeCheckpoints(1);
        String old = first.cancel();
        Map<Path, Integer> files = contents(before);

        JobPlan next = plan.checkpointsIn(after).from(old, RecoveryClaimMode.NO_CLAIM);
        Path shared = Path.of(URI.create(old)).resolveSibling("shared");
        takeRights(shared);
        Throwable failure;
        try {
            failure = RunningJob.submit(CLUSTER, control, next).awaitFailure();
        } finally {
            giveRights(shared);
        }
        assertThat(failure)
                .hasStackTraceContaining("SegmentRestoreException")
                .hasStackTraceContaining(shared.toString());
        assertThat(contents(before)).isEqualTo(files);

        RunningJob.start(CLUSTER, control, next).finishAndCheck();
    }

    /** Rights bind most users, but not all: a superuser cannot see this test fail. */
    private static void takeRights(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, Set.<PosixFilePermission>of());
        assumeThat(Files.isWritable(directory) || Files.isReadable(directory))
                .as("rights bind this user")
                .isFalse();
    }

    private static void giveRights(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }

    /** Hashes of all files below a directory. */
    private static Map<Path, Integer> contents(Path directory) throws IOException {
        Map<Path, Integer> contents = new TreeMap<>();
        for (Path file : JobCluster.filesIn(directory)) {
            contents.put(file, Arrays.hashCode(Files.readAllBytes(file)));
        }
        return contents;
    }
}
