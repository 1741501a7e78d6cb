/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.key;

import io.strata.flink.format.bytes.ByteSlice;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Writes composite keys as this package's documentation specifies them, into one reused buffer.
 *
 * <p>Used by one thread; other threads need a writer of their own over duplicated serializers (I9).
 *
 * @param <K> the key
 * @param <N> the namespace
 */
public final class CompositeKeyWriter<K, N> {

    private static final int INITIAL_BYTES = 64;

    private final int keyGroupPrefixBytes;
    private final TypeSerializer<K> keySerializer;
    private final TypeSerializer<N> namespaceSerializer;
    private final boolean ambiguous;
    private final DataOutputSerializer buffer = new DataOutputSerializer(INITIAL_BYTES);

    public CompositeKeyWriter(
            int keyGroupPrefixBytes,
            TypeSerializer<K> keySerializer,
            TypeSerializer<N> namespaceSerializer) {
        this.keyGroupPrefixBytes = keyGroupPrefixBytes;
        this.keySerializer = keySerializer;
        this.namespaceSerializer = namespaceSerializer;
        this.ambiguous = isAmbiguous(keySerializer, namespaceSerializer);
    }

    /** Whether both parts are of variable length, so that each needs a length suffix. */
    static boolean isAmbiguous(TypeSerializer<?> key, TypeSerializer<?> namespace) {
        return key.getLength() < 0 && namespace.getLength() < 0;
    }

    /**
     * Points {@code out} at the bytes of (key group, key, namespace), valid until the next call.
     */
    public void write(int keyGroup, K key, N namespace, ByteSlice out) throws IOException {
        writePrefix(keyGroup, key, namespace);
        out.set(buffer.getSharedBuffer(), 0, buffer.length());
    }

    /**
     * Points {@code out} at the bytes of (key group, key, namespace, user key), valid until the
     * next call.
     *
     * @return the length in bytes of the part before the user key
     */
    public <UK> int write(
            int keyGroup,
            K key,
            N namespace,
            UK userKey,
            TypeSerializer<UK> userKeySerializer,
            ByteSlice out)
            throws IOException {
        writePrefix(keyGroup, key, namespace);
        int prefixLength = buffer.length();
        userKeySerializer.serialize(userKey, buffer);
        out.set(buffer.getSharedBuffer(), 0, buffer.length());
        return prefixLength;
    }

    private void writePrefix(int keyGroup, K key, N namespace) throws IOException {
        buffer.clear();
        for (int shift = 8 * (keyGroupPrefixBytes - 1); shift >= 0; shift -= 8) {
            buffer.writeByte(keyGroup >>> shift);
        }
        keySerializer.serialize(key, buffer);
        if (ambiguous) {
            LengthSuffix.write(buffer.length() - keyGroupPrefixBytes, buffer);
            int namespaceStart = buffer.length();
            namespaceSerializer.serialize(namespace, buffer);
            LengthSuffix.write(buffer.length() - namespaceStart, buffer);
        } else {
            namespaceSerializer.serialize(namespace, buffer);
        }
    }
}
