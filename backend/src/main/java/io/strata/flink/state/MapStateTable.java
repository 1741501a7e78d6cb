/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.engine.HotWalk;
import io.strata.flink.engine.MapTable;
import io.strata.flink.engine.TieredStore;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.queryablestate.client.state.serialization.KvStateSerializer;

/**
 * The table behind map state.
 *
 * @param <K> the key
 * @param <N> the namespace
 * @param <UK> the user key
 * @param <UV> the user value
 */
final class MapStateTable<K, N, UK, UV> extends StateTable<K, N, Map<UK, UV>> {

    final MapTable<K, N, UK, UV> table;

    MapStateTable(TieredStore store, String name, StateSerializers<K, N, Map<UK, UV>> serializers) {
        super(serializers);
        this.table = store.mapTable(name, keyCodec(serializers), valueCodec(serializers));
    }

    private static <K, N, UK, UV> FlinkMapKeyCodec<K, N, UK> keyCodec(
            StateSerializers<K, N, Map<UK, UV>> serializers) {
        return new FlinkMapKeyCodec<>(
                serializers.keyGroupsInJob(),
                serializers.key(),
                serializers.namespace(),
                mapSerializer(serializers.state()).getKeySerializer());
    }

    private static <UK, UV> FlinkMapValueCodec<UV> valueCodec(
            StateSerializers<?, ?, Map<UK, UV>> serializers) {
        return new FlinkMapValueCodec<>(
                mapSerializer(serializers.state()).getValueSerializer(),
                serializers.time(),
                serializers.rules(StateDescriptor.Type.MAP));
    }

    private static <UK, UV> MapSerializer<UK, UV> mapSerializer(
            TypeSerializer<Map<UK, UV>> serializer) {
        return (MapSerializer<UK, UV>) serializer;
    }

    @Override
    void updateCodecs(StateSerializers<K, N, Map<UK, UV>> updated) {
        table.updateCodecs(keyCodec(updated), valueCodec(updated));
    }

    @Override
    Map<UK, UV> read(K key, N namespace) throws IOException {
        return table.isEmpty(key, namespace) ? null : new MapView<>(table, key, namespace);
    }

    @Override
    void write(K key, N namespace, Map<UK, UV> map) throws IOException {
        // A view of this very map would be emptied before it is read.
        Map<UK, UV> source = map instanceof MapView ? new HashMap<>(map) : map;
        table.remove(key, namespace);
        if (source != null) {
            putAll(key, namespace, source);
        }
    }

    void putAll(K key, N namespace, Map<UK, UV> map) throws IOException {
        for (Map.Entry<UK, UV> entry : map.entrySet()) {
            table.put(key, namespace, entry.getKey(), entry.getValue());
        }
    }

    @Override
    MapTable<K, N, UK, UV> tiered() {
        return table;
    }

    @Override
    HotWalk<K, N, Map<UK, UV>> hotWalk(int mostSlots) {
        return table.hotWalk(mostSlots);
    }

    @Override
    void reduce(K key, N namespace, Map<UK, UV> shown, @Nullable Map<UK, UV> left)
            throws IOException {
        for (UK userKey : shown.keySet()) {
            if (left == null || !left.containsKey(userKey)) {
                table.remove(key, namespace, userKey);
            }
        }
    }

    @Override
    byte[] serialize(Map<UK, UV> map, TypeSerializer<Map<UK, UV>> serializer) throws IOException {
        MapSerializer<UK, UV> parts = mapSerializer(serializer);
        return KvStateSerializer.serializeMap(
                map.entrySet(), parts.getKeySerializer(), parts.getValueSerializer());
    }
}
