/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.engine.EntryCursor;
import io.strata.flink.engine.MapTable;
import io.strata.flink.engine.TieredStore;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.queryablestate.client.state.serialization.KvStateSerializer;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

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
    private final FlinkMapKeyCodec<K, N, UK> keys;
    private final FlinkMapValueCodec<UV> values;

    MapStateTable(
            TieredStore store,
            String name,
            FlinkMapKeyCodec<K, N, UK> keys,
            TypeSerializer<Map<UK, UV>> serializer) {
        super(keys);
        this.keys = keys;
        this.values = new FlinkMapValueCodec<>(mapSerializer(serializer).getValueSerializer());
        this.table = store.mapTable(name, keys, values);
    }

    /** Returns the serializer with the two it is made of. */
    static <UK, UV> MapSerializer<UK, UV> mapSerializer(TypeSerializer<Map<UK, UV>> serializer) {
        return (MapSerializer<UK, UV>) serializer;
    }

    @Override
    void setStateSerializer(TypeSerializer<Map<UK, UV>> serializer) {
        keys.setUserKeySerializer(mapSerializer(serializer).getKeySerializer());
        values.setSerializer(mapSerializer(serializer).getValueSerializer());
    }

    @Override
    Map<UK, UV> read(K key, N namespace) throws IOException {
        return table.isEmpty(key, namespace) ? null : new MapView<>(table, key, namespace);
    }

    @Override
    void write(K key, N namespace, Map<UK, UV> map) throws IOException {
        // A view of this very map would be emptied before it is read.
        Map<UK, UV> source = map instanceof MapView ? new HashMap<>(map) : map;
        table.clear(key, namespace);
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
    void remove(K key, N namespace) throws IOException {
        table.clear(key, namespace);
    }

    @Override
    EntryCursor<K, N> cursor() throws IOException {
        return table.cursor();
    }

    @Override
    long countEntries() throws IOException {
        return table.countEntries();
    }

    @Override
    byte[] serialize(Map<UK, UV> map, TypeSerializer<Map<UK, UV>> serializer) throws IOException {
        MapSerializer<UK, UV> parts = mapSerializer(serializer);
        return KvStateSerializer.serializeMap(
                map.entrySet(), parts.getKeySerializer(), parts.getValueSerializer());
    }
}
