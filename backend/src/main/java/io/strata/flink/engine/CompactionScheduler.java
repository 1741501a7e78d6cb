/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.Compactor;
import io.strata.flink.compaction.Merge;
import io.strata.flink.compaction.MergeWatch;
import io.strata.flink.compaction.MergedRuns;
import io.strata.flink.compaction.SegmentPolicy;
import io.strata.flink.segment.Run;
import io.strata.flink.segment.RunView;
import io.strata.flink.segment.Segment;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Starts compactions of a store's tables and brings their results back. Task thread only; the
 * merging itself happens on the compaction threads.
 *
 * <p>Small merges of several tables that are due at the same time go into one segment, so that many
 * states do not make many files.
 */
final class CompactionScheduler {

    /** Merges that are written into one segment. */
    private record Job(List<TableMerge> merges, boolean cleaning) {

        /** Returns the states, or the first of them, for messages. */
        String states() {
            String first = merges.get(0).table().stateName();
            return merges.size() == 1
                    ? "state " + first
                    : "%d runs of state %s and others".formatted(merges.size(), first);
        }
    }

    /** Result of one job, handed from a compaction thread to the task thread. */
    private record Finished(Job job, MergedRuns output, Throwable failure) {

        void releaseOutput() {
            if (output != null) {
                output.segment().ifPresent(Segment::release);
            }
        }
    }

    /** Merges are put together up to so many bytes of input. */
    private static final long TOGETHER_BYTES = 16L << 20;

    /** With so much of the runs at which the task waits, merges are not held up any more. */
    private static final int HURRY_PART = 2;

    /** How often in a time to live time alone may start a merge. */
    private static final int LOOKS_A_LIFETIME = 64;

    private final StoreConfig config;
    private final Collection<TableRuns> tables;
    private final Executor executor;
    private final Compactor compactor;
    private final MergePlanner planner;
    private final SegmentCleaner cleaner;
    private final Runnable whenDone;
    private final LinkedBlockingQueue<Finished> finished = new LinkedBlockingQueue<>();
    private int running;
    private int cleaning;
    private volatile boolean cancelled;

    /** Set while a state has many runs; read by compaction threads. */
    private volatile boolean hurry;

    private long expiredRuns;
    private long expiredBytes;
    private long readBytes;
    private long installed;
    private long writtenBytes;

    /**
     * @param tables the tables of the store, as they are at any time
     */
    CompactionScheduler(StoreConfig config, Collection<TableRuns> tables, Runnable whenDone) {
        this.config = config;
        this.tables = tables;
        this.executor = config.compactionExecutor();
        this.compactor =
                new Compactor(
                        config.directory(),
                        config.segmentOptions(),
                        ListTable.DELIMITER,
                        config.pageCache().segmentMemory());
        this.planner = new MergePlanner(config.tuning().compactEveryFlush());
        this.cleaner = new SegmentCleaner(new SegmentPolicy(config.tuning().fewSegments()), tables);
        this.whenDone = whenDone;
    }

    /** Lets expired runs of tables that have changed go, and starts what the policies ask for. */
    void consider(Collection<TableRuns> changed) {
        changed.forEach(this::dropExpired);
        hurry = isBehind();
        startMerges(changed);
    }

    /**
     * Does what time alone has made due: cheap where nothing ever expires, and elsewhere as long as
     * little time has passed.
     */
    void considerExpiry(TableRuns table) {
        dropExpired(table);
        if (table.isTimeToLook(LOOKS_A_LIFETIME)) {
            startMerges(List.of(table));
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

    private void startMerges(Collection<TableRuns> tables) {
        List<TableMerge> due = new ArrayList<>();
        for (TableRuns table : tables) {
            planner.plan(table).ifPresent(plan -> due.add(TableMerge.begin(table, plan)));
        }
        start(due, false);
        if (cleaning == 0) {
            start(cleaner.begin(), true);
        }
    }

    private void start(List<TableMerge> merges, boolean cleans) {
        List<TableMerge> together = new ArrayList<>();
        long bytes = 0;
        for (TableMerge merge : merges) {
            if (!together.isEmpty() && bytes + merge.bytes() > TOGETHER_BYTES) {
                start(new Job(List.copyOf(together), cleans));
                together.clear();
                bytes = 0;
            }
            together.add(merge);
            bytes += merge.bytes();
        }
        if (!together.isEmpty()) {
            start(new Job(List.copyOf(together), cleans));
        }
    }

    private void start(Job job) {
        // serializers of the job find its classes as they do on the task thread
        ClassLoader jobClasses = Thread.currentThread().getContextClassLoader();
        running++;
        cleaning += job.cleaning() ? 1 : 0;
        job.merges().forEach(merge -> readBytes += merge.bytes());
        executor.execute(
                () -> {
                    Thread thread = Thread.currentThread();
                    ClassLoader before = thread.getContextClassLoader();
                    thread.setContextClassLoader(jobClasses);
                    try {
                        finished.add(run(job));
                    } finally {
                        thread.setContextClassLoader(before);
                    }
                    whenDone.run();
                });
    }

    /** Runs on a compaction thread; the tables' references keep the inputs. */
    private Finished run(Job job) {
        try {
            List<Merge> merges = job.merges().stream().map(TableMerge::merge).toList();
            MergedRuns output = compactor.compact(merges, SegmentIds.next(), new Watch());
            return new Finished(job, output, null);
        } catch (Throwable t) {
            // any failure reaches the task thread; none may end the shared thread
            return new Finished(job, null, t);
        }
    }

    /** Holds merges to the bandwidth, unless the store has fallen behind; on their threads. */
    private final class Watch implements MergeWatch {

        @Override
        public boolean cancelled() {
            return cancelled;
        }

        @Override
        public void passed(long bytes) {
            config.compactionBandwidth().take(bytes, () -> hurry || cancelled);
        }
    }

    private boolean isBehind() {
        int most = config.tuning().maxRunsPerTable() / HURRY_PART;
        return tables.stream().anyMatch(table -> table.current().size() > most)
                || cleaner.isFarBehind();
    }

    /** Tells whether the task should wait, since segments pile up faster than they are cleaned. */
    boolean isFarBehind() {
        return cleaner.isFarBehind();
    }

    /** Returns how many segments were in use when they were last looked at. */
    int segments() {
        return cleaner.segments();
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

    /**
     * Waits for one result and installs it.
     *
     * @return false if none came within this time
     */
    boolean awaitOne(long nanos) throws IOException {
        try {
            Finished result = finished.poll(nanos, TimeUnit.NANOSECONDS);
            if (result == null) {
                return false;
            }
            install(result);
            return true;
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
        Job job = result.job();
        running--;
        cleaning -= job.cleaning() ? 1 : 0;
        job.merges().forEach(TableMerge::ended);
        if (result.failure() != null) {
            throw new IOException(
                    "Compaction of %s in the local directory failed: %s"
                            .formatted(job.states(), result.failure().getMessage()),
                    result.failure());
        }
        installed++;
        result.output().segment().ifPresent(segment -> writtenBytes += segment.fileBytes());
        Set<TableRuns> changed = new LinkedHashSet<>();
        for (int i = 0; i < job.merges().size(); i++) {
            TableMerge merge = job.merges().get(i);
            Optional<Run> left = result.output().runs().get(i);
            merge.table()
                    .replace(
                            merge.inputs(),
                            left.map(run -> new RunView(run, config.keyGroups())).stream()
                                    .toList());
            changed.add(merge.table());
        }
        result.releaseOutput();
        job.merges().forEach(merge -> merge.inputs().forEach(this::forgetPages));
        consider(changed);
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
                result.releaseOutput();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
