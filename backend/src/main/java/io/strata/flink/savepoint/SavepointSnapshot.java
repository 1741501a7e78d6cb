/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import io.strata.flink.compaction.MergeCursor;
import io.strata.flink.compaction.ValueConverters;
import io.strata.flink.engine.StoreSnapshot;
import io.strata.flink.format.key.KeyGroupPrefix;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.state.ListFormat;
import io.strata.flink.segment.RunView;
import io.strata.flink.segment.StreamingPageSource;
import io.strata.flink.timers.TimerSnapshot;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.FullSnapshotResources;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyValueStateIterator;
import org.apache.flink.runtime.state.StreamCompressionDecorator;
import org.apache.flink.runtime.state.heap.HeapPriorityQueueStateSnapshot;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.util.ResourceGuard;

/**
 * Everything that a canonical savepoint needs, as it was at the barrier (I7).
 *
 * <p>Taken on the task thread, which seals the store and copies the timers; then handed to one of
 * Flink's snapshot threads, where Flink's own writer asks for the entries. Holds the backend open
 * until it is released.
 */
public final class SavepointSnapshot<K> implements FullSnapshotResources<K> {

    /** Flink writes the number of a state as a short, and one of them marks the end. */
    private static final int MAX_STATES = Short.MAX_VALUE;

    /** Buffers for reading ahead share this, however many runs there are. */
    private static final int READ_AHEAD_BUDGET_BYTES = 32 << 20;

    private static final int MIN_READ_AHEAD_BYTES = 8 << 10;

    private final KeyGroupRange keyGroups;
    private final int prefixBytes;
    private final TypeSerializer<K> keySerializer;
    private final StreamCompressionDecorator compression;
    private final List<StateMetaInfoSnapshot> metaInfo = new ArrayList<>();
    private final List<SavedState> states = new ArrayList<>();
    private final TimerSnapshot timers;
    private final StoreSnapshot store;
    private final ResourceGuard.Lease lease;

    private SavepointSnapshot(SavepointSource<K> source, ResourceGuard.Lease lease) {
        this.keyGroups = source.keyGroups();
        this.prefixBytes = KeyGroupPrefix.lengthBytes(source.maxParallelism());
        this.keySerializer = source.keySerializer().duplicate();
        this.compression = source.compression();
        this.lease = lease;
        for (SavepointSource.State state : source.states()) {
            String name = state.metaInfo().getName();
            states.add(SavedState.of(states.size(), state, source.store().rules(name).expiry()));
            metaInfo.addAll(source.eventTime().addTo(List.of(state.snapshot())));
        }
        this.timers = source.timers().snapshot();
        metaInfo.addAll(timers.metaInfo());
        if (metaInfo.size() > MAX_STATES) {
            throw new IllegalStateException(
                    "The operator has %d keyed states and queues of timers; a canonical savepoint takes %d at most. Take a native savepoint (bin/flink savepoint --type native)."
                            .formatted(metaInfo.size(), MAX_STATES));
        }
        this.store = source.store().snapshot();
    }

    /**
     * Takes the state as it is now, in constant time but for the timers. Task thread, between
     * records; what it returns must be released.
     *
     * @throws IOException if the backend is closed
     */
    public static <K> SavepointSnapshot<K> take(SavepointSource<K> source) throws IOException {
        ResourceGuard.Lease lease = source.inUse().acquireResource();
        try {
            return new SavepointSnapshot<>(source, lease);
        } catch (RuntimeException | Error e) {
            lease.close();
            throw e;
        }
    }

    /**
     * Waits for the flushes that were under way and opens all runs.
     *
     * @throws IOException if a flush failed, with its cause
     */
    @Override
    public KeyValueStateIterator createKVStateIterator() throws IOException {
        Map<String, List<RunView>> runs = awaitRuns();
        int runCount = runs.values().stream().mapToInt(List::size).sum();
        int readAheadBytes = readAheadBytes(runCount);
        List<SavedEntries> entries = new ArrayList<>(metaInfo.size());
        for (SavedState state : states) {
            List<RunView> newestFirst = runs.remove(state.name());
            if (newestFirst != null) {
                entries.add(open(state, newestFirst, readAheadBytes));
            }
        }
        if (!runs.isEmpty()) {
            throw new IllegalStateException("Runs of unknown states: " + runs.keySet());
        }
        int stateId = states.size();
        for (TimerSnapshot.Queue queue : timers.queues()) {
            entries.add(open(stateId++, queue.content()));
        }
        return new SavepointIterator(entries, keyGroups);
    }

    private Map<String, List<RunView>> awaitRuns() throws IOException {
        try {
            return store.await().runsByState();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("The savepoint was cancelled while a flush ran.");
        }
    }

    static int readAheadBytes(int runs) {
        int share = READ_AHEAD_BUDGET_BYTES / Math.max(1, runs);
        return Math.max(
                MIN_READ_AHEAD_BYTES,
                Math.min(StreamingPageSource.DEFAULT_READ_AHEAD_BYTES, share));
    }

    private SavedEntries open(SavedState state, List<RunView> newestFirst, int readAheadBytes) {
        KeyGroupSpan span =
                new KeyGroupSpan(keyGroups.getStartKeyGroup(), keyGroups.getEndKeyGroup());
        MergeCursor merge =
                MergeCursor.scan(
                        newestFirst,
                        span,
                        ListFormat.DELIMITER,
                        new ValueConverters(state.rules()),
                        view -> new StreamingPageSource(readAheadBytes));
        return new RunEntries(state, merge, RunEntries.MAX_VALUE_BYTES);
    }

    private <T> SavedEntries open(int stateId, HeapPriorityQueueStateSnapshot<T> queue) {
        return new TimerEntries<>(stateId, queue, prefixBytes);
    }

    @Override
    public List<StateMetaInfoSnapshot> getMetaInfoSnapshots() {
        return metaInfo;
    }

    @Override
    public KeyGroupRange getKeyGroupRange() {
        return keyGroups;
    }

    @Override
    public TypeSerializer<K> getKeySerializer() {
        return keySerializer;
    }

    @Override
    public StreamCompressionDecorator getStreamCompressionDecorator() {
        return compression;
    }

    /** Gives segments and timers back, and lets the backend close. */
    @Override
    public void release() {
        try {
            store.close();
            timers.release();
        } finally {
            lease.close();
        }
    }
}
