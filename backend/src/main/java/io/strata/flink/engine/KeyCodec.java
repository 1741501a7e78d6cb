/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.bytes.ByteSlice;
import java.io.IOException;
import java.util.function.ToLongFunction;

/**
 * Translation of a (key, namespace) pair to its composite key bytes and back.
 *
 * <p>Not thread-safe, because the serializers behind it are not: every thread works on its own
 * {@link #duplicate()} (I9).
 *
 * @param <K> the type of the keys
 * @param <N> the type of the namespaces
 */
public interface KeyCodec<K, N> {

    /** Returns the key group that the key belongs to. */
    int keyGroup(K key);

    /** Returns the number of bytes of the key-group prefix with which composite keys begin. */
    int keyGroupPrefixBytes();

    /**
     * Points {@code out} at the composite key bytes, key-group prefix included.
     *
     * <p>The bytes stay valid until the next call on this codec.
     */
    void encode(K key, N namespace, ByteSlice out) throws IOException;

    /** Reads the key from composite key bytes. */
    K decodeKey(ByteSlice composite) throws IOException;

    /** Reads the namespace from composite key bytes. */
    N decodeNamespace(ByteSlice composite) throws IOException;

    /** Tells whether all entries share one namespace object, which then takes no heap of theirs. */
    default boolean sharesNamespace() {
        return false;
    }

    /**
     * Returns when all that a namespace holds will be read, for eviction, in any unit; null where
     * namespaces do not tell. The function may outlive this codec.
     */
    default ToLongFunction<N> deadlines() {
        return null;
    }

    /** Returns an independent codec for another thread. */
    KeyCodec<K, N> duplicate();
}
