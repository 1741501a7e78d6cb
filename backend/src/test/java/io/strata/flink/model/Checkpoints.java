/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.CheckpointType;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SharedStateRegistry;
import org.apache.flink.runtime.state.SharedStateRegistryImpl;
import org.apache.flink.runtime.state.SnapshotResult;

/**
 * The JobManager's half of checkpointing, reduced to what backends see: several checkpoints in
 * flight, completion that subsumes older ones, aborts, notifications that may get lost, shared
 * files counted by Flink's own registry, and the three newest checkpoints retained.
 */
final class Checkpoints {
    private static final int MOST_PENDING = 3;
    private static final int RETAINED = 3;
    private static final long LONGEST_WAIT_SECONDS = 60;

    /** When the asynchronous part of a checkpoint runs. */
    enum Course {
        /** At once, before anything else happens. */
        INLINE,
        /** On another thread, at the same time as the following operations. */
        BACKGROUND,
        /** Only when it is finished, after the following operations. */
        DEFERRED
    }

    private record Pending(
            long id,
            boolean mayFail,
            List<RunnableFuture<SnapshotResult<KeyedStateHandle>>> parts) {}

    private record Completed(long id, List<KeyedStateHandle> handles) {}

    private final KeyedJob job;
    private final StrictStreams streams = new StrictStreams();
    private final SharedStateRegistry registry = new SharedStateRegistryImpl();
    private final List<Pending> pending = new ArrayList<>();
    private final Deque<Completed> completed = new ArrayDeque<>();
    private final List<Future<?>> running = new ArrayList<>();
    private final Set<Long> cancelledRunning = new HashSet<>();
    private long nextId = 1;
    private boolean fullInFlight;

    Checkpoints(KeyedJob job) {
        this.job = job;
    }

    /**
     * Starts a checkpoint on all instances.
     *
     * @param full whether no file of an earlier checkpoint may be used, as after a restore that
     *     does not claim them
     * @param failAfterBytes bytes after which a stream fails; {@code Long.MAX_VALUE} for never
     */
    String start(Course course, boolean full, long failAfterBytes) throws Exception {
        if (pending.size() == MOST_PENDING) {
            return "too many in flight";
        }
        long id = nextId++;
        fullInFlight = pending.isEmpty() ? full : fullInFlight;
        CheckpointType type =
                fullInFlight ? CheckpointType.FULL_CHECKPOINT : CheckpointType.CHECKPOINT;
        CheckpointOptions options =
                new CheckpointOptions(type, CheckpointStorageLocationReference.getDefault());
        Pending started = new Pending(id, failAfterBytes != Long.MAX_VALUE, new ArrayList<>());
        for (JobInstance instance : job.instances()) {
            instance.endRecord();
            started.parts()
                    .add(
                            instance.backend()
                                    .snapshot(
                                            id, id, streams.factory(id, failAfterBytes), options));
        }
        pending.add(started);
        runParts(started, course);
        return "started " + id;
    }

    private void runParts(Pending started, Course course) {
        for (RunnableFuture<?> part : started.parts()) {
            if (course == Course.INLINE) {
                part.run();
            } else if (course == Course.BACKGROUND) {
                running.add(ModelThreads.ASYNCHRONOUS.submit(part));
            }
        }
    }

    /**
     * Waits for a checkpoint and completes it, which aborts the older ones in flight.
     *
     * @param notify whether the backends hear of it
     * @return "failed" when a planned fault broke it
     */
    String finish(int which, boolean notify) throws Exception {
        if (pending.isEmpty()) {
            return "none in flight";
        }
        Pending finishing = pending.get(which % pending.size());
        List<KeyedStateHandle> handles = new ArrayList<>();
        try {
            for (RunnableFuture<SnapshotResult<KeyedStateHandle>> part : finishing.parts()) {
                handles.add(acknowledged(part, finishing.id()));
            }
        } catch (ExecutionException e) {
            if (!finishing.mayFail()) {
                throw e;
            }
            abort(which, true);
            return "failed " + finishing.id();
        }
        while (pending.get(0).id() != finishing.id()) {
            abort(0, true);
        }
        pending.remove(finishing);
        complete(new Completed(finishing.id(), handles), notify || fullInFlight);
        fullInFlight = false;
        return "completed " + finishing.id();
    }

    private KeyedStateHandle acknowledged(
            RunnableFuture<SnapshotResult<KeyedStateHandle>> part, long id) throws Exception {
        if (!part.isDone()) {
            running.add(ModelThreads.ASYNCHRONOUS.submit(part));
        }
        KeyedStateHandle handle =
                part.get(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS).getJobManagerOwnedSnapshot();
        if (handle != null) {
            handle.registerSharedStates(registry, id);
        }
        return handle;
    }

    private void complete(Completed checkpoint, boolean notify) throws Exception {
        completed.add(checkpoint);
        registry.checkpointCompleted(checkpoint.id());
        Completed subsumed = completed.size() > RETAINED ? completed.poll() : null;
        for (JobInstance instance : job.instances()) {
            if (notify) {
                instance.backend().notifyCheckpointComplete(checkpoint.id());
                if (subsumed != null) {
                    instance.backend().notifyCheckpointSubsumed(subsumed.id());
                }
            }
        }
        if (subsumed != null) {
            discard(subsumed);
            registry.unregisterUnusedState(completed.getFirst().id());
        }
    }

    /**
     * Aborts a checkpoint in flight, wherever it is.
     *
     * @param cancelFirst whether the asynchronous part is cancelled before the backends hear of it
     */
    String abort(int which, boolean cancelFirst) throws Exception {
        if (pending.isEmpty()) {
            return "none in flight";
        }
        Pending aborted = pending.remove(which % pending.size());
        if (cancelFirst) {
            drop(aborted);
        }
        for (JobInstance instance : job.instances()) {
            instance.endRecord();
            instance.backend().notifyCheckpointAborted(aborted.id());
        }
        if (!cancelFirst) {
            drop(aborted);
        }
        return "aborted " + aborted.id();
    }

    /** Returns the handles of a retained checkpoint, null if there is none. */
    List<KeyedStateHandle> retained(int which) {
        if (completed.isEmpty()) {
            return null;
        }
        return List.copyOf(completed).get(which % completed.size()).handles().stream()
                .filter(Objects::nonNull)
                .toList();
    }

    /** Drops what is in flight, as a failing job does. */
    void failPending() throws Exception {
        for (Pending failed : pending) {
            drop(failed);
        }
        pending.clear();
    }

    /**
     * Drops a checkpoint. Flink itself loses the handle of a part that is cancelled between its end
     * and the end of its thread, so a part that runs just now may leave files behind.
     */
    private void drop(Pending dropped) throws Exception {
        for (RunnableFuture<SnapshotResult<KeyedStateHandle>> part : dropped.parts()) {
            if (!part.isDone() && !running.isEmpty()) {
                cancelledRunning.add(dropped.id());
            }
            if (!part.cancel(true)) {
                discardIfTaken(part);
            }
        }
        awaitRunning();
    }

    private static void discardIfTaken(RunnableFuture<SnapshotResult<KeyedStateHandle>> part)
            throws Exception {
        try {
            part.get().discardState();
        } catch (ExecutionException | CancellationException ignored) {
            // It failed or was cancelled before: nothing was handed out.
            return;
        }
    }

    private void awaitRunning() throws Exception {
        for (Future<?> thread : running) {
            thread.get(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
        }
        running.clear();
    }

    private static void discard(Completed checkpoint) throws Exception {
        for (KeyedStateHandle handle : checkpoint.handles()) {
            if (handle != null) {
                handle.discardState();
            }
        }
    }

    void discardAll() throws Exception {
        awaitRunning();
        for (Completed checkpoint : completed) {
            discard(checkpoint);
        }
        completed.clear();
        registry.unregisterUnusedState(Long.MAX_VALUE);
    }

    void verifyTidy(boolean nothingLeft) {
        Set<String> left = streams.existing();
        cancelledRunning.forEach(id -> left.removeIf(file -> file.startsWith(id + "/")));
        if (!streams.faults().isEmpty() || (nothingLeft && !left.isEmpty())) {
            throw new IllegalStateException(
                    "checkpoint files left: " + left + ", faults: " + streams.faults());
        }
    }
}
