/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * What a test and the tasks of its job tell each other. Test and tasks live in one JVM, so an
 * object serves; tasks find it by its name. It outlives failures and restarts of the job, hence
 * holds nothing that the job's results depend on, except where the lanes end.
 */
final class JobControl {

    private static final Map<String, JobControl> CONTROLS = new ConcurrentHashMap<>();
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final long NO_LIMIT = Long.MAX_VALUE;
    private static final int SOME_MORE = 40;
    private static final long BLOCKED_NANOS = 1_000_000;

    private final String name = "job-" + COUNT.incrementAndGet();
    private final AtomicInteger failuresToCome = new AtomicInteger();
    private final Map<Integer, Long> countedByTimers = new ConcurrentHashMap<>();
    private final Map<String, String> results = new ConcurrentHashMap<>();
    private final List<String> contradictions = new ArrayList<>();
    private volatile long furthest;
    private volatile long limit = NO_LIMIT;
    private volatile boolean ended;
    private volatile int roundsPerSecond = 200;
    private volatile long delayNanos;
    private volatile boolean blocked;
    private final AtomicInteger held = new AtomicInteger();
    private volatile CompletableFuture<Void> change = new CompletableFuture<>();

    JobControl() {
        CONTROLS.put(name, this);
    }

    static JobControl of(String name) {
        return CONTROLS.get(name);
    }

    String name() {
        return name;
    }

    // Told by the test.

    /** Lets each lane emit so many events a second, from its next burst on. */
    void setRoundsPerSecond(int roundsPerSecond) {
        this.roundsPerSecond = roundsPerSecond;
    }

    /** Makes the keyed operator take so long for each event, for backpressure. */
    void setDelayNanos(long delayNanos) {
        this.delayNanos = delayNanos;
    }

    /** Makes the keyed operator hold at its next event, or go on. */
    void setBlocked(boolean blocked) {
        this.blocked = blocked;
    }

    /** Tells whether any task holds, so that no checkpoint that begins now can complete. */
    boolean isHeld() {
        return held.get() > 0;
    }

    /** The next event fails the job. */
    void failOnce() {
        failuresToCome.incrementAndGet();
    }

    /** Stops the lanes a little further on, all at the same position. */
    synchronized void stopLanes() {
        limit = furthest + SOME_MORE;
        changed();
    }

    /** Lets the lanes run on after {@link #stopLanes}. */
    synchronized void continueLanes() {
        limit = NO_LIMIT;
        changed();
    }

    /** Ends the lanes where they stopped: the job ends. */
    synchronized void end() {
        ended = true;
        changed();
    }

    private void changed() {
        CompletableFuture<Void> past = change;
        change = new CompletableFuture<>();
        past.complete(null);
    }

    /** The largest number of events that any lane has emitted. */
    long furthest() {
        return furthest;
    }

    /** How many events processing-time timers have counted, over all keys. */
    long countedByTimers() {
        return countedByTimers.values().stream().mapToLong(Long::longValue).sum();
    }

    Map<String, String> results() {
        return new TreeMap<>(results);
    }

    /** Results that were emitted twice, and differently; events that no window would take. */
    synchronized List<String> contradictions() {
        return List.copyOf(contradictions);
    }

    // Told by and to the tasks.

    long limit() {
        return limit;
    }

    boolean isEnded() {
        return ended;
    }

    int roundsPerSecond() {
        return roundsPerSecond;
    }

    /** Holds up the keyed operator as the test asks. */
    void delay() throws InterruptedException {
        if (delayNanos > 0) {
            LockSupport.parkNanos(delayNanos);
        }
        if (!blocked) {
            return;
        }
        held.incrementAndGet();
        try {
            while (blocked) {
                LockSupport.parkNanos(BLOCKED_NANOS);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        } finally {
            held.decrementAndGet();
        }
    }

    /** Completes with the next change of limit or end; ask before looking at them. */
    CompletableFuture<Void> nextChange() {
        return change;
    }

    /** Whether a lane may emit the event with this sequence number; it then does. */
    synchronized boolean mayEmit(long sequence) {
        if (sequence >= limit) {
            return false;
        }
        furthest = Math.max(furthest, sequence + 1);
        return true;
    }

    boolean takeFailure() {
        return failuresToCome.get() > 0 && failuresToCome.getAndDecrement() > 0;
    }

    void counted(int key, long events) {
        countedByTimers.put(key, events);
    }

    /** The source is at fault: none of its events may be behind its watermark. */
    synchronized void late(Event event) {
        contradictions.add("late: " + event);
    }

    /** Adds a result; the same one may come again after a failure, another one may not. */
    void result(String about, String says) {
        String before = results.putIfAbsent(about, says);
        if (before != null && !before.equals(says)) {
            synchronized (this) {
                contradictions.add(about + ": " + before + " / " + says);
            }
        }
    }
}
