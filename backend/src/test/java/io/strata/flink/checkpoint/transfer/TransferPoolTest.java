/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs transfers side by side and ends them together. */
@Timeout(30)
class TransferPoolTest {

    private final TransferPool pool = new TransferPool("test", 3);

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void returnsResultsInOrder() throws Exception {
        List<Transfer<Integer>> transfers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int result = i;
            transfers.add(stopped -> result);
        }

        List<Integer> results = pool.runAll(transfers);

        assertThat(results).hasSize(100).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void runsAsManyAtOnceAsItMayOnNamedThreads() throws Exception {
        CyclicBarrier threeAtOnce = new CyclicBarrier(3);
        Set<String> threads = Collections.synchronizedSet(new HashSet<>());
        Transfer<Boolean> meeting =
                stopped -> {
                    threads.add(Thread.currentThread().getName());
                    threeAtOnce.await();
                    return true;
                };

        pool.runAll(List.of(meeting, meeting, meeting));

        assertThat(threads).hasSize(3).contains(Thread.currentThread().getName());
        assertThat(threads).filteredOn(name -> name.startsWith("strata-transfer-test-")).hasSize(2);
    }

    @Test
    void goesOnWhileAnotherBatchHangs() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch hanging = new CountDownLatch(3);
        Transfer<Boolean> hangs =
                stopped -> {
                    hanging.countDown();
                    release.await();
                    return true;
                };
        Thread other = new Thread(() -> runQuietly(List.of(hangs, hangs, hangs)), "other");
        other.start();
        hanging.await();

        assertThat(pool.runAll(List.of(s -> 1, s -> 2))).isEqualTo(List.of(1, 2));

        release.countDown();
        other.join();
    }

    @Test
    void throwsTheFirstFailureItselfAfterAllHaveEnded() {
        AtomicInteger running = new AtomicInteger();
        RuntimeException failure = new RuntimeException("planted");
        CountDownLatch started = new CountDownLatch(1);
        Transfer<Integer> fails =
                stopped -> {
                    started.await();
                    throw failure;
                };
        Transfer<Integer> slow =
                stopped -> {
                    running.incrementAndGet();
                    started.countDown();
                    while (!stopped.getAsBoolean()) {
                        Thread.onSpinWait();
                    }
                    running.decrementAndGet();
                    throw new java.util.concurrent.CancellationException("stopped");
                };

        assertThatThrownBy(() -> pool.runAll(List.of(fails, slow))).isSameAs(failure);
        assertThat(running).hasValue(0);
    }

    @Test
    void beginsNothingAfterAFailure() {
        TransferPool single = new TransferPool("single", 1);
        AtomicInteger begun = new AtomicInteger();
        Transfer<Integer> fails =
                stopped -> {
                    throw new IOException("planted");
                };

        assertThatThrownBy(() -> single.runAll(List.of(fails, s -> begun.incrementAndGet())))
                .isInstanceOf(IOException.class);
        assertThat(begun).hasValue(0);
        single.close();
    }

    /** As a storage does that remembers why it broke, or a JVM without memory. */
    @Test
    void endsWhenTwoTransfersThrowTheSameException() {
        CyclicBarrier bothRun = new CyclicBarrier(2);
        IOException broken = new IOException("planted");
        Transfer<Integer> fails =
                stopped -> {
                    bothRun.await();
                    throw broken;
                };

        assertThatThrownBy(() -> pool.runAll(List.of(fails, fails))).isSameAs(broken);
    }

    /** Whoever is told of a failure gives back what transfers use. */
    @Test
    void waitsForARunningTransferWhenNoMoreHelpersCanBeStarted() {
        AtomicInteger running = new AtomicInteger();
        TransferBatch<Integer> batch =
                new TransferBatch<>(
                        List.of(
                                stopped -> {
                                    running.incrementAndGet();
                                    while (!stopped.getAsBoolean()) {
                                        Thread.onSpinWait();
                                    }
                                    return running.decrementAndGet();
                                },
                                stopped -> running.addAndGet(1000)));
        Thread helper = new Thread(batch.helper(), "helper");
        helper.start();
        while (running.get() == 0) {
            Thread.onSpinWait();
        }
        OutOfMemoryError noThread = new OutOfMemoryError("planted");

        batch.abandon(noThread);
        batch.work();

        assertThatThrownBy(batch::results).isSameAs(noThread);
        assertThat(running).hasValue(0);
    }

    private void runQuietly(List<Transfer<Boolean>> transfers) {
        try {
            pool.runAll(transfers);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
