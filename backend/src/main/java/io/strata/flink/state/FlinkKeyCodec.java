/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.engine.KeyCodec;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.key.CompositeKeyReader;
import io.strata.flink.format.key.CompositeKeyWriter;
import io.strata.flink.format.key.KeyGroupPrefix;
import java.io.IOException;
import java.util.function.ToLongFunction;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

/**
 * Composite keys through Flink's serializers.
 *
 * @param <K> the key
 * @param <N> the namespace
 */
class FlinkKeyCodec<K, N> implements KeyCodec<K, N> {

    final int keyGroupsInJob;
    final TypeSerializer<K> keySerializer;
    final TypeSerializer<N> namespaceSerializer;
    final CompositeKeyWriter<K, N> writer;
    final CompositeKeyReader<K, N> reader;

    FlinkKeyCodec(
            int keyGroupsInJob,
            TypeSerializer<K> keySerializer,
            TypeSerializer<N> namespaceSerializer) {
        this.keyGroupsInJob = keyGroupsInJob;
        this.keySerializer = keySerializer;
        this.namespaceSerializer = namespaceSerializer;
        int prefixBytes = KeyGroupPrefix.lengthBytes(keyGroupsInJob);
        this.writer = new CompositeKeyWriter<>(prefixBytes, keySerializer, namespaceSerializer);
        this.reader = new CompositeKeyReader<>(prefixBytes, keySerializer, namespaceSerializer);
    }

    @Override
    public int keyGroup(K key) {
        return KeyGroupRangeAssignment.assignToKeyGroup(key, keyGroupsInJob);
    }

    @Override
    public int keyGroupPrefixBytes() {
        return KeyGroupPrefix.lengthBytes(keyGroupsInJob);
    }

    @Override
    public void encode(K key, N namespace, ByteSlice out) throws IOException {
        writer.write(keyGroup(key), key, namespace, out);
    }

    @Override
    public K decodeKey(ByteSlice composite) throws IOException {
        return reader.readKey(composite);
    }

    @Override
    public N decodeNamespace(ByteSlice composite) throws IOException {
        return reader.readNamespace(composite);
    }

    @Override
    public boolean sharesNamespace() {
        return namespaceSerializer instanceof VoidNamespaceSerializer;
    }

    /** What a window holds is read when it ends. */
    @Override
    public ToLongFunction<N> deadlines() {
        return namespaceSerializer instanceof TimeWindow.Serializer
                ? window -> ((TimeWindow) window).getEnd()
                : null;
    }

    @Override
    public FlinkKeyCodec<K, N> duplicate() {
        return new FlinkKeyCodec<>(
                keyGroupsInJob, keySerializer.duplicate(), namespaceSerializer.duplicate());
    }
}
