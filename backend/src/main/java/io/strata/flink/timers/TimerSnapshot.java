/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.timers;

import java.util.List;
import org.apache.flink.runtime.state.heap.HeapPriorityQueueStateSnapshot;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;

/**
 * All timers at one moment.
 *
 * @param queues one copy a queue
 */
public record TimerSnapshot(List<Queue> queues) {

    public TimerSnapshot {
        queues = List.copyOf(queues);
    }

    /**
     * The copy of one queue.
     *
     * @param name the name that the queue is registered under
     * @param timers how many timers it holds
     * @param content the timers, with a serializer of their own (I9)
     */
    public record Queue(String name, int timers, HeapPriorityQueueStateSnapshot<?> content) {}

    /** Returns what Flink writes about the queues into a checkpoint's metadata. */
    public List<StateMetaInfoSnapshot> metaInfo() {
        return queues.stream().map(queue -> queue.content().getMetaInfoSnapshot()).toList();
    }

    /** Tells whether no queue holds any timer. */
    public boolean isEmpty() {
        return queues.stream().allMatch(queue -> queue.timers() == 0);
    }

    /** Gives the copies back. */
    public void release() {
        queues.forEach(queue -> queue.content().release());
    }
}
