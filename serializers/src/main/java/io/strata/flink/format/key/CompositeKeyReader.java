/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.key;

import io.strata.flink.format.bytes.ByteSlice;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;

/**
 * Reads the parts of composite keys that {@link CompositeKeyWriter} or a Flink backend wrote.
 *
 * <p>Used by one thread; other threads need a reader of their own over duplicated serializers (I9).
 * All methods throw {@link IOException} when the bytes end too early or a length suffix is wrong.
 *
 * <p>Parts are found by reading what is before them, never by {@link TypeSerializer#getLength()}:
 * Flink's serializers of windows and of the void namespace say 0 there and write 16 bytes and 1.
 * Only its sign is part of the format, as the test for ambiguity.
 *
 * @param <K> the key
 * @param <N> the namespace
 */
public final class CompositeKeyReader<K, N> {

    private final int keyGroupPrefixBytes;
    private final TypeSerializer<K> keySerializer;
    private final TypeSerializer<N> namespaceSerializer;
    private final boolean ambiguous;
    private final DataInputDeserializer source = new DataInputDeserializer();

    public CompositeKeyReader(
            int keyGroupPrefixBytes,
            TypeSerializer<K> keySerializer,
            TypeSerializer<N> namespaceSerializer) {
        this.keyGroupPrefixBytes = keyGroupPrefixBytes;
        this.keySerializer = keySerializer;
        this.namespaceSerializer = namespaceSerializer;
        this.ambiguous = CompositeKeyWriter.isAmbiguous(keySerializer, namespaceSerializer);
    }

    /** Returns the key. */
    public K readKey(ByteSlice composite) throws IOException {
        open(composite);
        return nextKey();
    }

    /** Returns the namespace. */
    public N readNamespace(ByteSlice composite) throws IOException {
        open(composite);
        nextKey();
        return nextNamespace();
    }

    /** Returns the length in bytes of (key group, key, namespace): where a user key begins. */
    public int prefixLength(ByteSlice composite) throws IOException {
        open(composite);
        nextKey();
        nextNamespace();
        return source.getPosition() - composite.offset;
    }

    /** Returns the user key that follows a prefix of the given length in bytes. */
    public <UK> UK readUserKey(
            ByteSlice composite, int prefixLength, TypeSerializer<UK> userKeySerializer)
            throws IOException {
        source.setBuffer(
                composite.bytes, composite.offset + prefixLength, composite.length - prefixLength);
        return userKeySerializer.deserialize(source);
    }

    private void open(ByteSlice composite) throws IOException {
        if (composite.length < keyGroupPrefixBytes) {
            throw new IOException(
                    "Composite key of "
                            + composite.length
                            + " bytes is shorter than its key-group prefix of "
                            + keyGroupPrefixBytes);
        }
        source.setBuffer(
                composite.bytes,
                composite.offset + keyGroupPrefixBytes,
                composite.length - keyGroupPrefixBytes);
    }

    private K nextKey() throws IOException {
        int start = source.getPosition();
        K key = keySerializer.deserialize(source);
        if (ambiguous) {
            LengthSuffix.expect(source.getPosition() - start, source, "key");
        }
        return key;
    }

    private N nextNamespace() throws IOException {
        int start = source.getPosition();
        N namespace = namespaceSerializer.deserialize(source);
        if (ambiguous) {
            LengthSuffix.expect(source.getPosition() - start, source, "namespace");
        }
        return namespace;
    }
}
