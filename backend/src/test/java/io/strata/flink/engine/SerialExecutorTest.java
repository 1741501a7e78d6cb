/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Order, exclusion and exactly one run of every task, wherever it runs. */
class SerialExecutorTest {

    private static final int TASKS = 20_000;

    private final AtomicInteger threads = new AtomicInteger();
    private final ExecutorService shared =
            Executors.newFixedThreadPool(
                    3, task -> new Thread(task, "shared-" + threads.getAndIncrement()));

    private final AtomicInteger running = new AtomicInteger();
    private final List<Integer> order = new ArrayList<>();

    @AfterEach
    void end() {
        shared.shutdownNow();
    }

    /** As a store does it: waits for the oldest, and runs it itself when nobody else has. */
    @Test
    void runsEveryTaskOnceInOrderOnWhicheverThread() throws Exception {
        SerialExecutor serial = new SerialExecutor(shared);
        int here = 0;
        List<Task> pending = new ArrayList<>();
        for (int i = 0; i < TASKS; i++) {
            Task task = new Task(i);
            pending.add(task);
            serial.execute(task);
            if (i % 3 == 0) {
                Task oldest = pending.remove(0);
                here += serial.runHere(oldest) ? 1 : 0;
                oldest.done.await();
            }
        }
        for (Task task : pending) {
            task.done.await();
        }
        assertThat(order).isEqualTo(IntStream.range(0, TASKS).boxed().toList());
        assertThat(here).isLessThan(TASKS);
    }

    @Test
    void runsHereWhatNoThreadHasBegun() {
        SerialExecutor serial = new SerialExecutor(command -> {});
        Task first = new Task(0);
        Task second = new Task(1);
        serial.execute(first);
        serial.execute(second);
        assertThat(serial.runHere(second)).as("the second before the first").isFalse();
        assertThat(serial.runHere(first)).isTrue();
        assertThat(serial.runHere(first)).as("once more").isFalse();
        assertThat(serial.runHere(second)).isTrue();
        assertThat(order).containsExactly(0, 1);
    }

    private final class Task implements Runnable {

        private final int number;
        private final CountDownLatch done = new CountDownLatch(1);

        Task(int number) {
            this.number = number;
        }

        @Override
        public void run() {
            if (running.incrementAndGet() == 1) {
                order.add(number); // unsafe for two at a time, on purpose
            }
            running.decrementAndGet();
            done.countDown();
        }
    }
}
