/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** Keeps tasks until they are released, so that a test can act while a flush is under way. */
final class HeldExecutor implements Executor {

    private final Queue<Runnable> held = new ArrayDeque<>();
    private boolean released;

    @Override
    public synchronized void execute(Runnable task) {
        if (released) {
            start(task);
        } else {
            held.add(task);
        }
    }

    /** Returns how many tasks wait. */
    synchronized int waiting() {
        return held.size();
    }

    /** Runs the tasks kept, and all later ones, each in a thread of its own. */
    synchronized void release() {
        released = true;
        held.forEach(HeldExecutor::start);
        held.clear();
    }

    private static void start(Runnable task) {
        new Thread(task, "strata-test-flush").start();
    }
}
