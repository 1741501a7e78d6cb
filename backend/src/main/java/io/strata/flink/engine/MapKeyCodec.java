/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.bytes.ByteSlice;
import java.io.IOException;

/**
 * A {@link KeyCodec} whose composite keys go on with a user key: one for each entry of a map.
 *
 * <p>The bytes of {@link #encode} are the prefix that all entries of one map share.
 *
 * @param <K> the type of the keys
 * @param <N> the type of the namespaces
 * @param <UK> the type of the user keys
 */
public interface MapKeyCodec<K, N, UK> extends KeyCodec<K, N> {

    /**
     * Points {@code out} at the composite key bytes of one entry: the map's prefix, then the user
     * key. The bytes stay valid until the next call on this codec.
     *
     * @return the length of the prefix
     */
    int encodeEntry(K key, N namespace, UK userKey, ByteSlice out) throws IOException;

    /** Returns how many bytes of an entry's composite key are the prefix of its map. */
    int prefixLength(ByteSlice composite) throws IOException;

    /** Reads the user key that follows the first {@code prefixLength} bytes. */
    UK decodeUserKey(ByteSlice composite, int prefixLength) throws IOException;

    @Override
    MapKeyCodec<K, N, UK> duplicate();
}
