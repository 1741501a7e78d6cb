/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import io.strata.flink.io.StorageDirectory;
import io.strata.flink.segment.SegmentMemory;
import io.strata.flink.segment.SegmentOptions;
import io.strata.flink.timers.HeapTimers;
import java.util.Set;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.StateSerializerProvider;

/**
 * What the import of a canonical savepoint needs.
 *
 * @param keyGroups the key groups of the backend
 * @param keyGroupsInJob decides about the length of the key-group prefix
 * @param keySerializer knows the serializer that wrote the keys, once metadata was read
 * @param userClassLoader loads serializers
 * @param cancellation closes open files when the task is cancelled
 * @param target where segments go and how they are written
 * @param timers gets the timers
 * @param dropped names of states whose entries are left out
 */
public record ImportRequest<K>(
        KeyGroupRange keyGroups,
        int keyGroupsInJob,
        StateSerializerProvider<K> keySerializer,
        ClassLoader userClassLoader,
        CloseableRegistry cancellation,
        Target target,
        HeapTimers timers,
        Set<String> dropped) {

    /**
     * Where segments go and how they are written.
     *
     * @param directory gets one segment a state, and temporary ones
     * @param options how segments are written
     * @param sortBytes memory for the records that are sorted at a time
     */
    public record Target(
            StorageDirectory directory,
            SegmentMemory memory,
            SegmentOptions options,
            int sortBytes) {}
}
