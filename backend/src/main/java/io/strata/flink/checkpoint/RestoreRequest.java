/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint;

import io.strata.flink.timers.HeapTimers;
import java.util.Collection;
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
 * @param keySerializer learns of the serializer that wrote the keys
 * @param userClassLoader loads serializers
 * @param cancellation closes open streams when the task is cancelled
 * @param directories where segments go
 * @param timers gets the timers
 */
public record RestoreRequest<K>(
        Collection<KeyedStateHandle> handles,
        KeyGroupRange keyGroups,
        StateSerializerProvider<K> keySerializer,
        ClassLoader userClassLoader,
        CloseableRegistry cancellation,
        SegmentDirectories directories,
        HeapTimers timers) {}
