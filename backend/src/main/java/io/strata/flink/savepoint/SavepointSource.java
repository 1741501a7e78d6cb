/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import io.strata.flink.compaction.ValueRules;
import io.strata.flink.engine.TieredStore;
import io.strata.flink.timers.HeapTimers;
import io.strata.flink.ttl.EventTime;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.StreamCompressionDecorator;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.util.ResourceGuard;

/**
 * What a canonical savepoint of one backend is made from.
 *
 * @param store the keyed state
 * @param timers the timers
 * @param states every keyed state, registered or only restored
 * @param keySerializer the serializer of the keys
 * @param keyGroups the key groups of the backend
 * @param maxParallelism the key groups of the job, which decide about the key-group prefix
 * @param compression how the data of a key group is compressed
 * @param eventTime how far the event time of the backend is
 * @param inUse holds the store open while the savepoint reads its segments
 */
public record SavepointSource<K>(
        TieredStore store,
        HeapTimers timers,
        List<State> states,
        TypeSerializer<K> keySerializer,
        KeyGroupRange keyGroups,
        int maxParallelism,
        StreamCompressionDecorator compression,
        EventTime eventTime,
        ResourceGuard inUse) {

    /**
     * One keyed state.
     *
     * @param metaInfo Flink's meta info
     * @param snapshot what the savepoint says about the state
     * @param rules bring values into the schema that the snapshot describes
     */
    public record State(
            RegisteredKeyValueStateBackendMetaInfo<?, ?> metaInfo,
            StateMetaInfoSnapshot snapshot,
            ValueRules rules) {}
}
