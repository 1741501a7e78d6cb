/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.FailingStreams;
import io.strata.flink.savepoint.WrittenOperator.Setup;
import io.strata.flink.savepoint.WrittenState.Kind;
import io.strata.flink.savepoint.WrittenState.Ttl;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Canonical savepoints that end early: the state goes on, and nothing is left behind. */
@Timeout(60)
class EndedSavepointTest {

    private static final int KEYS = 50;
    private static final WrittenState VALUE = new WrittenState(Kind.VALUE, false, Ttl.NONE);

    /** Every savepoint replaces all segments of the one before; these few may exist at a time. */
    private static final int MOST_SEGMENTS = 12;

    @TempDir File directory;

    private WrittenOperator start() throws Exception {
        return new WrittenOperator(setup(), WrittenBackends.allCold(KEYS), 1, List.of());
    }

    private Setup setup() {
        return new Setup(WrittenKeys.LONG, 16, false, new AtomicLong(), directory);
    }

    @SuppressWarnings("unchecked")
    private static void update(WrittenOperator operator, long round) throws Exception {
        for (int key = 0; key < KEYS; key++) {
            ((ValueState<String>) operator.at(VALUE, key, 0)).update("value " + round);
        }
        operator.addTimer(WrittenKeys.LONG.key(1), round);
    }

    @Test
    void leavesNothingWhicheverOperationFails() throws Exception {
        try (WrittenOperator operator = start()) {
            update(operator, 0);
            Streams whole = new Streams(Integer.MAX_VALUE, -1);
            operator.begin(whole.factory).get(0).run();
            int operations = whole.operations.get();
            assertThat(operations).isGreaterThan(KEYS);
            for (int failing = 0; failing < operations; failing++) {
                // Each of the first and last ones, and some between.
                if (failing < 5 || failing >= operations - 5 || failing % 20 == 0) {
                    update(operator, failing);
                    failAt(failing, operator);
                }
            }
            assertThat(operator.savepoint()).hasSize(1);
        }
        assertThat(directory).isEmptyDirectory();
    }

    private void failAt(int failing, WrittenOperator operator) throws Exception {
        Streams streams = new Streams(failing, -1);
        RunnableFuture<SnapshotResult<KeyedStateHandle>> savepoint =
                operator.begin(streams.factory).get(0);
        savepoint.run();
        assertThatThrownBy(savepoint::get)
                .as("operation %d", failing)
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("planted");
        assertThat(streams.factory.openStreams())
                .as("open streams, operation %d", failing)
                .isZero();
        assertThat(segments()).isLessThan(MOST_SEGMENTS);
    }

    @Test
    void leavesNothingWhenCancelledBeforeItRuns() throws Exception {
        try (WrittenOperator operator = start()) {
            for (int round = 0; round < 2 * MOST_SEGMENTS; round++) {
                update(operator, round);
                operator.begin(CanonicalSavepoints.inMemory()).get(0).cancel(true);
                assertThat(segments()).isLessThan(MOST_SEGMENTS);
            }
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void leavesNothingWhenCancelledHalfWay() throws Exception {
        try (WrittenOperator operator = start()) {
            for (int round = 0; round < 2 * MOST_SEGMENTS; round++) {
                update(operator, round);
                Streams streams = new Streams(Integer.MAX_VALUE, 20 + round);
                RunnableFuture<SnapshotResult<KeyedStateHandle>> savepoint =
                        operator.begin(streams.factory).get(0);
                Thread writer = start(savepoint);
                assertThat(streams.stuck.await(30, TimeUnit.SECONDS)).isTrue();

                savepoint.cancel(true);

                writer.join();
                assertThatThrownBy(savepoint::get).isInstanceOf(CancellationException.class);
                assertThat(streams.factory.openStreams()).isZero();
                assertThat(segments()).isLessThan(MOST_SEGMENTS);
            }
            assertThat(operator.savepoint()).hasSize(1);
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void theBackendStaysOpenUntilItHasEnded() throws Exception {
        WrittenOperator operator = start();
        update(operator, 1);
        Streams streams = new Streams(Integer.MAX_VALUE, 30);
        RunnableFuture<SnapshotResult<KeyedStateHandle>> savepoint =
                operator.begin(streams.factory).get(0);
        Thread writer = start(savepoint);
        assertThat(streams.stuck.await(30, TimeUnit.SECONDS)).isTrue();
        Thread closing =
                start(
                        () -> {
                            try {
                                operator.close();
                            } catch (Exception e) {
                                throw new AssertionError(e);
                            }
                        });
        closing.join(200);
        assertThat(closing.isAlive()).isTrue();

        streams.goOn.countDown();

        writer.join();
        closing.join();
        assertThat(directory).isEmptyDirectory();
        List<KeyedStateHandle> handles = List.of(savepoint.get().getJobManagerOwnedSnapshot());
        try (WrittenOperator restored =
                new WrittenOperator(setup(), WrittenBackends.hashMap(), 1, handles)) {
            assertThat(restored.read(List.of(VALUE), KEYS, false)).hasSize(KEYS);
        }
    }

    @Test
    void isRefusedByAClosedBackend() throws Exception {
        WrittenOperator operator = start();
        operator.close();

        assertThatThrownBy(() -> operator.instances().get(0).savepoint())
                .isInstanceOf(IOException.class);
    }

    private static Thread start(Runnable work) {
        Thread thread = new Thread(work, "strata-test-savepoint");
        thread.start();
        return thread;
    }

    private long segments() {
        try (Stream<Path> files = Files.walk(directory.toPath())) {
            return files.filter(file -> file.toString().endsWith(".seg")).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Streams in memory; the operation of one number fails, that of another one gets stuck. */
    private static final class Streams {
        private final int failing;
        private final int sticking;
        private final AtomicInteger operations = new AtomicInteger();
        private final CountDownLatch stuck = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);
        private final FailingStreams factory =
                new FailingStreams(CanonicalSavepoints.inMemory(), this::failsNow, goOn::countDown);

        Streams(int failing, int sticking) {
            this.failing = failing;
            this.sticking = sticking;
        }

        private boolean failsNow() {
            int operation = operations.getAndIncrement();
            if (operation == sticking) {
                stuck.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return operation == failing;
        }
    }
}
