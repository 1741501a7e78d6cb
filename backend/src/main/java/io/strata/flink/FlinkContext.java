/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.query.TaskKvStateRegistry;
import org.apache.flink.runtime.state.InternalKeyContext;
import org.apache.flink.runtime.state.StreamCompressionDecorator;
import org.apache.flink.runtime.state.metrics.LatencyTrackingStateConfig;
import org.apache.flink.runtime.state.metrics.SizeTrackingStateConfig;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;

/**
 * What Flink gives a keyed backend and the backend hands on to Flink's base class.
 *
 * @param operator how errors name the operator and its subtask
 * @param kvStateRegistry registers queryable state
 * @param keySerializer the serializer of the keys
 * @param userClassLoader loads user classes
 * @param executionConfig the job's
 * @param ttlTimeProvider the clock of state with a time to live
 * @param latencyTracking whether Flink wraps states to measure latency
 * @param sizeTracking whether Flink wraps states to measure sizes
 * @param cancellation closes streams when the task is cancelled
 * @param keyGroupCompression how Flink's full snapshots are compressed
 * @param keyContext knows the current key
 */
record FlinkContext<K>(
        String operator,
        TaskKvStateRegistry kvStateRegistry,
        TypeSerializer<K> keySerializer,
        ClassLoader userClassLoader,
        ExecutionConfig executionConfig,
        TtlTimeProvider ttlTimeProvider,
        LatencyTrackingStateConfig latencyTracking,
        SizeTrackingStateConfig sizeTracking,
        CloseableRegistry cancellation,
        StreamCompressionDecorator keyGroupCompression,
        InternalKeyContext<K> keyContext) {}
