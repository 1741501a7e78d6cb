/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.StrataStateBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.state.api.OperatorIdentifier;
import org.apache.flink.state.api.SavepointReader;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.testutils.junit.SharedObjectsExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Flink's State Processor API reads what a job on Strata left. */
class StateProcessorTest {

    private static final int SLOTS = 4;

    @RegisterExtension
    private static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(SLOTS)
                            .build());

    @RegisterExtension
    private final SharedObjectsExtension shared = SharedObjectsExtension.create();

    @TempDir private Path directory;

    private Savepoints savepoints;

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectories(directory.resolve("scratch"));
        savepoints = new Savepoints(directory);
    }

    /** I10: a reader is not a task, but leaves as little behind. */
    @AfterEach
    void leavesNothingInScratchDirectories() throws IOException {
        try (Stream<Path> left = Files.walk(savepoints.scratch())) {
            assertThat(left.filter(path -> path.getFileName().toString().startsWith("strata")))
                    .isEmpty();
        }
    }

    @Test
    void readsANativeSavepoint() throws Exception {
        assertReadsExactly(take(Savepoints.STRATA, SavepointFormatType.NATIVE));
    }

    private String take(String backend, SavepointFormatType format) throws Exception {
        return savepoints.take(backend, format, shared.add(new CountDownLatch(1)));
    }

    /** Reads with more and with fewer splits than tasks that wrote. */
    private void assertReadsExactly(String savepoint) throws Exception {
        for (int parallelism : new int[] {1, SLOTS - 1}) {
            assertThat(readAccounts(savepoint, parallelism))
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.range(0, Accounts.KEYS)
                                    .filter(Accounts::hasState)
                                    .mapToObj(Accounts::expectedWithTimers)
                                    .toList());
        }
        StreamExecutionEnvironment env = environment(Savepoints.PARALLELISM);
        assertThat(
                        Savepoints.collect(
                                SavepointReader.read(env, savepoint, new StrataStateBackend())
                                        .window(Windows.assigner())
                                        .process(
                                                NumbersJob.BAGS,
                                                new Readers.ReadWindows(),
                                                Types.LONG,
                                                Types.LONG,
                                                Types.STRING)))
                .containsExactlyInAnyOrderElementsOf(Windows.expected());
        assertThat(
                        Savepoints.collect(
                                SavepointReader.read(env, savepoint, new StrataStateBackend())
                                        .window(Windows.assigner())
                                        .reduce(
                                                NumbersJob.SUMS,
                                                Long::sum,
                                                new Readers.ReadWindows(),
                                                Types.LONG,
                                                Types.LONG,
                                                Types.STRING)))
                .containsExactlyInAnyOrderElementsOf(Windows.expectedSums());
    }

    private List<String> readAccounts(String savepoint, int parallelism) throws Exception {
        return Savepoints.collect(
                SavepointReader.read(environment(parallelism), savepoint, new StrataStateBackend())
                        .readKeyedState(
                                OperatorIdentifier.forUid(NumbersJob.ACCOUNTS),
                                new Readers.ReadAccounts(),
                                Types.LONG,
                                Types.STRING));
    }

    private StreamExecutionEnvironment environment(int parallelism) {
        return savepoints.environment(Savepoints.HASHMAP, parallelism);
    }
}
