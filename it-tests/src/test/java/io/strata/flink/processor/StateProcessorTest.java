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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.state.api.OperatorIdentifier;
import org.apache.flink.state.api.SavepointReader;
import org.apache.flink.state.api.SavepointWriter;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.testutils.junit.SharedObjectsExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Flink's State Processor API reads what a job on Strata left, and writes what one starts from. */
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
        assertReadsExactly(
                take(Savepoints.STRATA, SavepointFormatType.NATIVE),
                new StrataStateBackend(),
                1,
                SLOTS - 1);
    }

    @Test
    void hashmapReadsACanonicalSavepoint() throws Exception {
        assertReadsExactly(
                take(Savepoints.STRATA, SavepointFormatType.CANONICAL),
                new HashMapStateBackend(),
                2);
    }

    @Test
    void readsACanonicalSavepointOfHashmap() throws Exception {
        assertReadsExactly(
                take(Savepoints.HASHMAP, SavepointFormatType.CANONICAL),
                new StrataStateBackend(),
                2);
    }

    @Test
    void writesANewSavepoint() throws Exception {
        StreamExecutionEnvironment env = environment(Savepoints.PARALLELISM);
        SavepointWriter writer =
                SavepointWriter.newSavepoint(
                        env, new StrataStateBackend(), Savepoints.MAX_PARALLELISM);
        String written = savepoints.write(Writers.addAll(writer, env), env);

        assertReadsExactly(written, new StrataStateBackend(), 2);
        assertRestoresExactly(written, Savepoints.HASHMAP, 1);
        assertRestoresExactly(written, Savepoints.STRATA, 1);
    }

    @Test
    void replacesAnOperatorOfASavepoint() throws Exception {
        String before = take(Savepoints.STRATA, SavepointFormatType.CANONICAL);
        StreamExecutionEnvironment env = environment(1);
        SavepointWriter writer =
                SavepointWriter.fromExistingSavepoint(env, before, new StrataStateBackend())
                        .removeOperator(OperatorIdentifier.forUid(NumbersJob.ACCOUNTS));
        String written = savepoints.write(Writers.addAccounts(writer, env, 2), env);

        assertRestoresExactly(written, Savepoints.STRATA, 2);
    }

    private String take(String backend, SavepointFormatType format) throws Exception {
        return savepoints.take(backend, format, shared.add(new CountDownLatch(1)));
    }

    /** Reads with so many splits, which need not be as many as tasks that wrote. */
    private void assertReadsExactly(String savepoint, StateBackend backend, int... parallelisms)
            throws Exception {
        for (int parallelism : parallelisms) {
            assertThat(readAccounts(savepoint, backend, parallelism))
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.range(0, Accounts.KEYS)
                                    .filter(Accounts::hasState)
                                    .mapToObj(Accounts::expectedWithTimers)
                                    .toList());
        }
        StreamExecutionEnvironment env = environment(Savepoints.PARALLELISM);
        assertThat(
                        Savepoints.collect(
                                SavepointReader.read(env, savepoint, backend)
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
                                SavepointReader.read(env, savepoint, backend)
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

    private List<String> readAccounts(String savepoint, StateBackend backend, int parallelism)
            throws Exception {
        return Savepoints.collect(
                SavepointReader.read(environment(parallelism), savepoint, backend)
                        .readKeyedState(
                                OperatorIdentifier.forUid(NumbersJob.ACCOUNTS),
                                new Readers.ReadAccounts(),
                                Types.LONG,
                                Types.STRING));
    }

    private StreamExecutionEnvironment environment(int parallelism) {
        return savepoints.environment(Savepoints.HASHMAP, parallelism);
    }

    /** The accounts saw all numbers several times, the windows once. */
    private void assertRestoresExactly(String savepoint, String backend, int times)
            throws Exception {
        List<String> expected = new ArrayList<>(Accounts.expectedEventTimers());
        LongStream.range(0, Accounts.KEYS)
                .mapToObj(key -> Accounts.expected(key, times))
                .forEach(expected::add);
        expected.addAll(Windows.expected());
        expected.addAll(Windows.expectedSums());
        assertThat(savepoints.restore(savepoint, backend))
                .containsExactlyInAnyOrderElementsOf(expected);
    }
}
