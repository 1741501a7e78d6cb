/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.restore;

import io.strata.flink.checkpoint.files.SegmentDirectories;
import io.strata.flink.segment.SegmentMemory;
import io.strata.flink.segment.SegmentOptions;
import io.strata.flink.timers.HeapTimers;
import java.util.Collection;
import java.util.Set;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StateSerializerProvider;

/**
 * What a restore needs.
 *
 * @param handles the handles of a checkpoint that overlap the backend's key groups; nulls in it
 *     stand for tasks that had no state
 * @param keyGroups the key groups of the backend
 * @param keyGroupsInJob how many there are, decides about composite keys
 * @param keySerializer learns of the serializer that wrote the keys
 * @param userClassLoader loads serializers
 * @param cancellation closes open streams when the task is cancelled
 * @param directories where segments go
 * @param memory gets indexes and filters of the segments
 * @param timers gets the timers
 * @param imports how the segments are written that canonical savepoints become
 * @param links whether segments may be hard links to files of the checkpoint
 * @param dropped names of states that are left out
 */
public record RestoreRequest<K>(
        Collection<KeyedStateHandle> handles,
        KeyGroupRange keyGroups,
        int keyGroupsInJob,
        StateSerializerProvider<K> keySerializer,
        ClassLoader userClassLoader,
        CloseableRegistry cancellation,
        SegmentDirectories directories,
        SegmentMemory memory,
        HeapTimers timers,
        Imports imports,
        boolean links,
        Set<String> dropped) {

    /**
     * How canonical savepoints become segments.
     *
     * @param options how segments are written
     * @param sortBytes memory for the records that are sorted at a time
     */
    public record Imports(SegmentOptions options, int sortBytes) {}
}
