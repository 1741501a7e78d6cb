/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.CompactionPlan;
import io.strata.flink.compaction.CompactionPolicy;
import io.strata.flink.compaction.Compactor;
import io.strata.flink.compaction.Expiry;
import io.strata.flink.compaction.RunSize;
import io.strata.flink.compaction.SupersededRecords;
import io.strata.flink.compaction.TtlCompactionPolicy;
import io.strata.flink.compaction.ValueRules;
import io.strata.flink.segment.RunView;
import io.strata.flink.segment.Segment;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Starts compactions of a store's tables and brings their results back. Task thread only; the
 * merging itself happens on the compaction threads.
 */
final class CompactionScheduler {

    /** Result of one compaction, handed from a compaction thread to the task thread. */
    private record Finished(
            TableRuns table, List<RunView> inputs, Segment output, Throwable failure) {}

    /** A small merge of new runs need not wait for a large one of old runs. */
    private static final int MAX_MERGES_PER_TABLE = 2;

    /** How often in a time to live time alone may start a merge. */
    private static final int LOOKS_A_LIFETIME = 64;

    private final StoreConfig config;
    private final Executor executor;
    private final Compactor compactor;
    private final CompactionPolicy policy = new CompactionPolicy();
    private final TtlCompactionPolicy ttlPolicy = new TtlCompactionPolicy();
    private final Runnable whenDone;
    private final LinkedBlockingQueue<Finished> finished = new LinkedBlockingQueue<>();
    private int running;
    private volatile boolean cancelled;

    private long expiredRuns;
    private long expiredBytes;
    private long readBytes;
    private long installed;
    private long writtenBytes;

    CompactionScheduler(StoreConfig config, Runnable whenDone) {
        this.config = config;
        this.executor = config.compactionExecutor();
        this.compactor =
                new Compactor(config.directory(), config.segmentOptions(), ListTable.DELIMITER);
        this.whenDone = whenDone;
    }

    /** Lets expired runs go, and starts what the policy asks for. */
    void consider(TableRuns table) {
        dropExpired(table);
        startMerge(table);
    }

    /**
     * Does what time alone has made due: cheap where nothing ever expires, and elsewhere as long as
     * little time has passed.
     */
    void considerExpiry(TableRuns table) {
        dropExpired(table);
        if (table.isTimeToLook(LOOKS_A_LIFETIME)) {
            startMerge(table);
        }
    }

    /** Lets runs go, unread, that hold nothing but what has expired. */
    void dropExpired(TableRuns table) {
        List<RunView> expired = table.expired();
        if (expired.isEmpty()) {
            return;
        }
        for (RunView view : expired) {
            expiredRuns++;
            expiredBytes += view.dataBytes();
        }
        table.drop(expired);
        expired.forEach(this::forgetPages);
    }

    /** At most a second merge beside one under way. */
    private void startMerge(TableRuns table) {
        List<RunView> views = table.current().newestFirst();
        plan(table, views).ifPresent(plan -> start(table, views, plan));
    }

    private Optional<CompactionPlan> plan(TableRuns table, List<RunView> views) {
        if (views.isEmpty() || table.merges() >= MAX_MERGES_PER_TABLE) {
            return Optional.empty();
        }
        if (config.tuning().compactEveryFlush()) {
            return table.merges() > 0 || views.size() < 2
                    ? Optional.empty()
                    : Optional.of(new CompactionPlan(0, views.size() - 1));
        }
        List<RunSize> sizes = views.stream().map(RunSize::of).toList();
        Expiry expiry = table.expiry();
        if (TtlCompactionPolicy.isFor(sizes, expiry)) {
            return table.merges() == 0
                    ? ttlPolicy.plan(sizes, SupersededRecords.estimate(views), expiry)
                    : ttlPolicy.planBeside(sizes, table.busyFrom(), expiry);
        }
        return table.merges() == 0
                ? policy.plan(sizes)
                : policy.planBeside(sizes, table.busyFrom());
    }

    private void start(TableRuns table, List<RunView> views, CompactionPlan plan) {
        List<RunView> inputs =
                List.copyOf(views.subList(plan.newestIndex(), plan.oldestIndex() + 1));
        boolean bottom = plan.oldestIndex() == views.size() - 1;
        ValueRules rules = table.rules();
        // serializers of the job find its classes as they do on the task thread
        ClassLoader jobClasses = Thread.currentThread().getContextClassLoader();
        table.mergeStarted(inputs);
        running++;
        inputs.forEach(view -> readBytes += view.dataBytes());
        executor.execute(
                () -> {
                    Thread thread = Thread.currentThread();
                    ClassLoader before = thread.getContextClassLoader();
                    thread.setContextClassLoader(jobClasses);
                    try {
                        finished.add(merge(table, inputs, bottom, rules));
                    } finally {
                        thread.setContextClassLoader(before);
                    }
                    whenDone.run();
                });
    }

    /** Runs on a compaction thread; the table's references keep the inputs. */
    private Finished merge(
            TableRuns table, List<RunView> inputs, boolean bottom, ValueRules rules) {
        try {
            Optional<Segment> output =
                    compactor.compact(inputs, bottom, rules, SegmentIds.next(), () -> cancelled);
            return new Finished(table, inputs, output.orElse(null), null);
        } catch (Throwable t) {
            // any failure reaches the task thread; none may end the shared thread
            return new Finished(table, inputs, null, t);
        }
    }

    boolean isRunning() {
        return running > 0;
    }

    /** Installs all results that are there. */
    void installFinished() throws IOException {
        for (Finished next = finished.poll(); next != null; next = finished.poll()) {
            install(next);
        }
    }

    /** Waits for one result and installs it. */
    void awaitOne() throws IOException {
        try {
            install(finished.take());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while waiting for a compaction.");
        }
    }

    /** Waits for all merges and installs them, through interrupts: for the regimes of tests. */
    void awaitAll() throws IOException {
        boolean interrupted = false;
        try {
            while (isRunning()) {
                try {
                    install(finished.take());
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void install(Finished result) throws IOException {
        running--;
        result.table().mergeEnded(result.inputs());
        if (result.failure() != null) {
            throw new IOException(
                    "Compaction of state %s in the local directory failed: %s"
                            .formatted(result.table().stateName(), result.failure().getMessage()),
                    result.failure());
        }
        installed++;
        Segment output = result.output();
        if (output == null) {
            result.table().replace(result.inputs(), List.of());
        } else {
            writtenBytes += output.fileBytes();
            RunView merged = new RunView(output.runs().get(0), config.keyGroups());
            result.table().replace(result.inputs(), List.of(merged));
            output.release();
        }
        result.inputs().forEach(this::forgetPages);
        consider(result.table());
    }

    /** Frees the cached pages of a merged run at once, unless its segment has other runs in use. */
    private void forgetPages(RunView input) {
        Segment segment = input.run().segment();
        if (segment.runs().size() == 1 || segment.references() == 0) {
            config.pageCache().evictSegment(segment.serial());
        }
    }

    long installed() {
        return installed;
    }

    long writtenBytes() {
        return writtenBytes;
    }

    /** Returns the bytes of the pages that compactions have read, or are reading. */
    long readBytes() {
        return readBytes;
    }

    long expiredRuns() {
        return expiredRuns;
    }

    long expiredBytes() {
        return expiredBytes;
    }

    /** Cancels what runs, waits for it, and gives outputs back that nobody installed. */
    void close() {
        cancelled = true;
        boolean interrupted = false;
        while (running > 0) {
            try {
                Finished result = finished.take();
                running--;
                if (result.output() != null) {
                    result.output().release();
                }
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
