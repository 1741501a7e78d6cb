/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.engine.MapKeyCodec;
import io.strata.flink.format.bytes.ByteSlice;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * Composite keys of map entries through Flink's serializers.
 *
 * @param <K> the key
 * @param <N> the namespace
 * @param <UK> the user key
 */
final class FlinkMapKeyCodec<K, N, UK> extends FlinkKeyCodec<K, N>
        implements MapKeyCodec<K, N, UK> {

    private final TypeSerializer<UK> userKeySerializer;

    FlinkMapKeyCodec(
            int keyGroupsInJob,
            TypeSerializer<K> keySerializer,
            TypeSerializer<N> namespaceSerializer,
            TypeSerializer<UK> userKeySerializer) {
        super(keyGroupsInJob, keySerializer, namespaceSerializer);
        this.userKeySerializer = userKeySerializer;
    }

    @Override
    public int encodeEntry(K key, N namespace, UK userKey, ByteSlice out) throws IOException {
        return writer.write(keyGroup(key), key, namespace, userKey, userKeySerializer, out);
    }

    @Override
    public int prefixLength(ByteSlice composite) throws IOException {
        return reader.prefixLength(composite);
    }

    @Override
    public UK decodeUserKey(ByteSlice composite, int prefixLength) throws IOException {
        return reader.readUserKey(composite, prefixLength, userKeySerializer);
    }

    @Override
    public FlinkMapKeyCodec<K, N, UK> duplicate() {
        return new FlinkMapKeyCodec<>(
                keyGroupsInJob,
                keySerializer.duplicate(),
                namespaceSerializer.duplicate(),
                userKeySerializer.duplicate());
    }
}
