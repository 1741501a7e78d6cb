/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.engine.HotWalk;
import io.strata.flink.engine.TieredStore;
import io.strata.flink.engine.ValueTable;
import java.io.IOException;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.queryablestate.client.state.serialization.KvStateSerializer;

/**
 * The table behind value, reducing and aggregating state.
 *
 * @param <K> the key
 * @param <N> the namespace
 * @param <V> the value or accumulator
 */
final class ValueStateTable<K, N, V> extends StateTable<K, N, V> {

    final ValueTable<K, N, V> table;

    ValueStateTable(TieredStore store, String name, StateSerializers<K, N, V> serializers) {
        super(serializers);
        this.table = store.valueTable(name, serializers.keyCodec(), valueCodec(serializers));
    }

    private static <V> FlinkValueCodec<V> valueCodec(StateSerializers<?, ?, V> serializers) {
        return new FlinkValueCodec<>(
                serializers.state(),
                serializers.time(),
                serializers.rules(StateDescriptor.Type.VALUE));
    }

    @Override
    void updateCodecs(StateSerializers<K, N, V> updated) {
        table.updateCodecs(updated.keyCodec(), valueCodec(updated));
    }

    /** {@inheritDoc} Any thread may call, with serializers of its own. */
    @Override
    V peek(K key, N namespace, StateSerializers<K, N, V> own) throws IOException {
        return table.peek(key, namespace, own.keyCodec(), valueCodec(own));
    }

    @Override
    V read(K key, N namespace) throws IOException {
        return table.get(key, namespace);
    }

    @Override
    void write(K key, N namespace, V value) throws IOException {
        if (value == null) {
            table.remove(key, namespace);
        } else {
            table.put(key, namespace, value);
        }
    }

    @Override
    ValueTable<K, N, V> tiered() {
        return table;
    }

    @Override
    HotWalk<K, N, V> hotWalk(int mostSlots) {
        return table.hotWalk();
    }

    @Override
    byte[] serialize(V value, TypeSerializer<V> serializer) throws IOException {
        return KvStateSerializer.serializeValue(value, serializer);
    }
}
