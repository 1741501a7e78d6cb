/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.engine.StoreManifest.RunRef;
import io.strata.flink.engine.StoreManifest.SegmentEntry;
import io.strata.flink.engine.StoreManifest.StateRuns;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.segment.Run;
import io.strata.flink.segment.RunView;
import io.strata.flink.segment.Segment;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The state of a store at one moment (I7): the runs it had, and the flushes that were under way.
 *
 * <p>Made by the task thread; after that used by one thread at a time, any. Its segments stay until
 * it is closed, whatever the store does meanwhile, even if the store is closed.
 */
public final class StoreSnapshot implements Closeable {

    private final KeyGroupSpan keyGroups;

    /** Runs by state, newest first; every run holds one reference to its segment. */
    private final Map<String, List<RunView>> installed;

    /** Flushes under way, oldest first; the snapshot is a holder of each. */
    private final List<FlushJob> pending;

    private final AtomicBoolean closed = new AtomicBoolean();

    StoreSnapshot(
            KeyGroupSpan keyGroups, Map<String, List<RunView>> installed, List<FlushJob> pending) {
        this.keyGroups = keyGroups;
        this.installed = installed;
        this.pending = pending;
    }

    /**
     * Waits until the flushes are done and returns all runs.
     *
     * @throws IOException if a flush failed, with its cause
     */
    public StoreVersion await() throws IOException, InterruptedException {
        Map<String, List<RunView>> all = new LinkedHashMap<>();
        installed.forEach((name, views) -> all.put(name, new ArrayList<>(views)));
        for (FlushJob job : pending) {
            for (Run run : job.await().runs()) {
                all.computeIfAbsent(run.spec().stateName(), name -> new ArrayList<>())
                        .add(0, new RunView(run, keyGroups));
            }
        }
        return toVersion(all);
    }

    private static StoreVersion toVersion(Map<String, List<RunView>> all) {
        Map<Segment, Integer> indexes = new LinkedHashMap<>();
        List<StateRuns> states = new ArrayList<>();
        all.forEach(
                (name, views) -> {
                    List<RunRef> refs = new ArrayList<>(views.size());
                    for (RunView view : views) {
                        Segment segment = view.run().segment();
                        int index = indexes.computeIfAbsent(segment, s -> indexes.size());
                        refs.add(
                                new RunRef(
                                        index,
                                        view.run().ordinal(),
                                        view.clip().first(),
                                        view.clip().last()));
                    }
                    if (!refs.isEmpty()) {
                        states.add(new StateRuns(name, refs));
                    }
                });
        List<SegmentEntry> entries = new ArrayList<>(indexes.size());
        indexes.keySet().forEach(s -> entries.add(new SegmentEntry(s.id(), s.fileBytes())));
        return new StoreVersion(
                new ArrayList<>(indexes.keySet()), new StoreManifest(entries, states));
    }

    /** Gives the segments back; more than once is harmless. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            List<Segment> segments = new ArrayList<>();
            installed.values().forEach(vs -> vs.forEach(v -> segments.add(v.run().segment())));
            try {
                Segment.releaseAll(segments);
            } finally {
                pending.forEach(FlushJob::releaseHolder);
            }
        }
    }
}
