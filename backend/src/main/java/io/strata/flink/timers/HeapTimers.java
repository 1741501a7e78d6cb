/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.timers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.runtime.state.HeapPriorityQueuesManager;
import org.apache.flink.runtime.state.KeyExtractorFunction;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.Keyed;
import org.apache.flink.runtime.state.PriorityComparable;
import org.apache.flink.runtime.state.RegisteredPriorityQueueStateBackendMetaInfo;
import org.apache.flink.runtime.state.StateSnapshotKeyGroupReader;
import org.apache.flink.runtime.state.heap.HeapPriorityQueueElement;
import org.apache.flink.runtime.state.heap.HeapPriorityQueueSetFactory;
import org.apache.flink.runtime.state.heap.HeapPriorityQueueSnapshotRestoreWrapper;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;

/** All timer queues of one keyed backend, on the heap. Task thread only. */
public final class HeapTimers {

    private static final int INITIAL_QUEUE_CAPACITY = 128;

    private final KeyGroupRange keyGroups;
    private final int totalKeyGroups;
    private final HeapPriorityQueueSetFactory factory;
    private final Map<String, HeapPriorityQueueSnapshotRestoreWrapper<?>> queues = new HashMap<>();
    private final HeapPriorityQueuesManager manager;

    /** Creates the empty set of queues of a backend. */
    public HeapTimers(KeyGroupRange keyGroups, int totalKeyGroups) {
        this.keyGroups = keyGroups;
        this.totalKeyGroups = totalKeyGroups;
        this.factory =
                new HeapPriorityQueueSetFactory(keyGroups, totalKeyGroups, INITIAL_QUEUE_CAPACITY);
        this.manager = new HeapPriorityQueuesManager(queues, factory, keyGroups, totalKeyGroups);
    }

    /**
     * Returns the queue of a name, made or restored.
     *
     * @throws org.apache.flink.util.FlinkRuntimeException when the serializer cannot read what was
     *     restored
     */
    public <T extends HeapPriorityQueueElement & PriorityComparable<? super T> & Keyed<?>>
            KeyGroupedInternalPriorityQueue<T> create(
                    String name, TypeSerializer<T> serializer, boolean allowFutureUpdates) {
        return manager.createOrUpdate(name, serializer, allowFutureUpdates);
    }

    /** Copies all queues, so that the copy stays as it is while timers go on (I7). */
    public TimerSnapshot snapshot() {
        List<TimerSnapshot.Queue> copies = new ArrayList<>(queues.size());
        queues.forEach(
                (name, queue) ->
                        copies.add(
                                new TimerSnapshot.Queue(
                                        name,
                                        queue.getPriorityQueue().size(),
                                        queue.stateSnapshot())));
        return new TimerSnapshot(copies);
    }

    /** Makes the queue that a checkpoint's meta info describes, unless there is one already. */
    public void restoreQueue(StateMetaInfoSnapshot metaInfo) {
        if (!queues.containsKey(metaInfo.getName())) {
            queues.put(
                    metaInfo.getName(),
                    wrap(new RegisteredPriorityQueueStateBackendMetaInfo<>(metaInfo)));
        }
    }

    /**
     * Adds one timer to a restored queue.
     *
     * @param timer holds what the serializer of the queue wrote
     */
    @SuppressWarnings("unchecked")
    public void restoreTimer(String name, DataInputView timer) throws IOException {
        HeapPriorityQueueSnapshotRestoreWrapper<HeapPriorityQueueElement> queue =
                (HeapPriorityQueueSnapshotRestoreWrapper<HeapPriorityQueueElement>)
                        queues.get(name);
        queue.getPriorityQueue().add(queue.getMetaInfo().getElementSerializer().deserialize(timer));
    }

    /** Returns what adds the timers of a restored queue, or null when there is no such queue. */
    StateSnapshotKeyGroupReader reader(String name, int readVersion) {
        HeapPriorityQueueSnapshotRestoreWrapper<?> queue = queues.get(name);
        return queue == null ? null : queue.keyGroupReader(readVersion);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private HeapPriorityQueueSnapshotRestoreWrapper<?> wrap(
            RegisteredPriorityQueueStateBackendMetaInfo metaInfo) {
        return new HeapPriorityQueueSnapshotRestoreWrapper(
                factory.create(metaInfo.getName(), metaInfo.getElementSerializer()),
                metaInfo,
                KeyExtractorFunction.forKeyedObjects(),
                keyGroups,
                totalKeyGroups);
    }
}
