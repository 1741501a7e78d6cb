/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.engine.HotWalk;
import io.strata.flink.engine.ListTable;
import io.strata.flink.engine.TieredStore;
import io.strata.flink.format.state.ListFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * The table behind list state.
 *
 * @param <K> the key
 * @param <N> the namespace
 * @param <T> the element
 */
final class ListStateTable<K, N, T> extends StateTable<K, N, List<T>> {

    /** How many elements of a list that is not all hot are moved at a time. */
    private static final int CHUNK_ELEMENTS = 512;

    final ListTable<K, N, T> table;

    ListStateTable(TieredStore store, String name, StateSerializers<K, N, List<T>> serializers) {
        super(serializers);
        this.table = store.listTable(name, serializers.keyCodec(), elementCodec(serializers));
    }

    private static <T> FlinkElementCodec<T> elementCodec(
            StateSerializers<?, ?, List<T>> serializers) {
        return new FlinkElementCodec<>(
                elementSerializer(serializers.state()),
                serializers.time(),
                serializers.rules(StateDescriptor.Type.LIST));
    }

    private static <T> TypeSerializer<T> elementSerializer(TypeSerializer<List<T>> serializer) {
        return ((ListSerializer<T>) serializer).getElementSerializer();
    }

    @Override
    void updateCodecs(StateSerializers<K, N, List<T>> updated) {
        table.updateCodecs(updated.keyCodec(), elementCodec(updated));
    }

    @Override
    List<T> read(K key, N namespace) throws IOException {
        return table.getList(key, namespace);
    }

    @Override
    boolean contains(K key, N namespace) throws IOException {
        return table.get(key, namespace) != null; // which does not load a large list
    }

    @Override
    void write(K key, N namespace, List<T> list) throws IOException {
        if (list == null || list.isEmpty()) {
            table.remove(key, namespace);
        } else {
            table.put(key, namespace, list);
        }
    }

    /** Appends the elements of another list, in bounded memory unless that one is all hot. */
    void append(K key, N namespace, Iterable<T> source) throws IOException {
        if (source instanceof List<T> list) {
            table.addAll(key, namespace, list);
            return;
        }
        List<T> chunk = new ArrayList<>(CHUNK_ELEMENTS);
        for (T element : source) {
            chunk.add(element);
            if (chunk.size() == CHUNK_ELEMENTS) {
                table.addAll(key, namespace, chunk);
                chunk = new ArrayList<>(CHUNK_ELEMENTS);
            }
        }
        if (!chunk.isEmpty()) {
            table.addAll(key, namespace, chunk);
        }
    }

    @Override
    ListTable<K, N, T> tiered() {
        return table;
    }

    @Override
    HotWalk<K, N, List<T>> hotWalk(int mostSlots) {
        return table.hotWalk();
    }

    @Override
    byte[] serialize(List<T> list, TypeSerializer<List<T>> serializer) throws IOException {
        DataOutputSerializer target = new DataOutputSerializer(128);
        ListFormat.write(list, elementSerializer(serializer), target);
        return target.getCopyOfBuffer();
    }
}
