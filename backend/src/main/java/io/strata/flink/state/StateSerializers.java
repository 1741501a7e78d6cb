/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.compaction.ValueRules;
import io.strata.flink.schema.SchemaReaders;
import io.strata.flink.ttl.EventTimeClock;
import javax.annotation.Nullable;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * The serializers of one state.
 *
 * @param keyGroupsInJob decides about the length of the key-group prefix
 * @param key of the keys
 * @param namespace of the namespaces
 * @param state of the value, accumulator, list or map
 * @param eventTime the clock of state with a time to live; null when that is the machine's, or when
 *     timestamps do not matter
 * @param schemas how values are read that other serializers wrote
 */
record StateSerializers<K, N, SV>(
        int keyGroupsInJob,
        TypeSerializer<K> key,
        TypeSerializer<N> namespace,
        TypeSerializer<SV> state,
        @Nullable EventTimeClock eventTime,
        SchemaReaders schemas) {

    /** Returns what the values mean, which depends on the kind of state. */
    ValueRules rules(StateDescriptor.Type kind) {
        return new FlinkValueRules(kind, schemas, eventTime);
    }

    FlinkKeyCodec<K, N> keyCodec() {
        return new FlinkKeyCodec<>(keyGroupsInJob, key, namespace);
    }

    /** Whether these are the very same objects. */
    @SuppressWarnings("ReferenceEquality") // equal serializers may still differ in what they cache
    boolean same(StateSerializers<K, N, SV> other) {
        return key == other.key
                && namespace == other.namespace
                && state == other.state
                && schemas == other.schemas;
    }
}
