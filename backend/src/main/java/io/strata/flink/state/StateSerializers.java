/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.compaction.ValueRules;
import io.strata.flink.schema.SchemaReaders;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * The serializers of one state.
 *
 * @param keyGroupsInJob decides about the length of the key-group prefix
 * @param key of the keys
 * @param namespace of the namespaces
 * @param state of the value, accumulator, list or map
 * @param time what counts as time for the values
 * @param schemas how values are read that other serializers wrote
 */
record StateSerializers<K, N, SV>(
        int keyGroupsInJob,
        TypeSerializer<K> key,
        TypeSerializer<N> namespace,
        TypeSerializer<SV> state,
        ValueTime time,
        SchemaReaders schemas) {

    /** Returns what the values mean, which depends on the kind of state. */
    ValueRules rules(StateDescriptor.Type kind) {
        return new FlinkValueRules(kind, schemas, time.eventTime());
    }

    FlinkKeyCodec<K, N> keyCodec() {
        return new FlinkKeyCodec<>(keyGroupsInJob, key, namespace);
    }

    /** Whether these are the very same objects, and values live as long. */
    @SuppressWarnings("ReferenceEquality") // equal serializers may still differ in what they cache
    boolean same(StateSerializers<K, N, SV> other) {
        return key == other.key
                && namespace == other.namespace
                && state == other.state
                && schemas == other.schemas
                && time.equals(other.time);
    }
}
