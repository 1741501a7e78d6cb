/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.key.CompositeKeyReader;
import io.strata.flink.format.key.OrderKeys;
import java.io.IOException;
import java.util.Arrays;

/**
 * Computes the order keys of one state from the composite keys of a savepoint.
 *
 * <p>Where the user key begins in the key of a map entry, only the serializers of key and namespace
 * can tell. They are asked once a map: an entry whose key begins with the same bytes as the one
 * before has the same key and namespace, since the serializers read those bytes again.
 */
final class ImportOrder {

    private final int keyGroupPrefixBytes;
    private final CompositeKeyReader<?, ?> mapKeys;

    /** Key group, key and namespace of the last map seen. */
    private byte[] lastMap = new byte[0];

    private int lastGroupHash;

    private ImportOrder(int keyGroupPrefixBytes, CompositeKeyReader<?, ?> mapKeys) {
        this.keyGroupPrefixBytes = keyGroupPrefixBytes;
        this.mapKeys = mapKeys;
    }

    /** Returns the order of any state but map. */
    static ImportOrder flat(int keyGroupPrefixBytes) {
        return new ImportOrder(keyGroupPrefixBytes, null);
    }

    /**
     * Returns the order of a map state.
     *
     * @param keys reads composite keys with the serializers that wrote them
     */
    static ImportOrder ofMap(int keyGroupPrefixBytes, CompositeKeyReader<?, ?> keys) {
        return new ImportOrder(keyGroupPrefixBytes, keys);
    }

    /** Returns the order key of a composite key. */
    long orderKey(ByteSlice key) throws IOException {
        if (mapKeys == null) {
            return OrderKeys.flat(
                    key.bytes, key.offset + keyGroupPrefixBytes, key.length - keyGroupPrefixBytes);
        }
        if (!isOfLastMap(key)) {
            int length = mapKeys.prefixLength(key);
            lastMap = Arrays.copyOfRange(key.bytes, key.offset, key.offset + length);
            lastGroupHash =
                    OrderKeys.groupHash(lastMap, keyGroupPrefixBytes, length - keyGroupPrefixBytes);
        }
        return OrderKeys.grouped(
                lastGroupHash, key.bytes, key.offset + lastMap.length, key.length - lastMap.length);
    }

    private boolean isOfLastMap(ByteSlice key) {
        int length = lastMap.length;
        return length > 0
                && key.length >= length
                && Arrays.equals(lastMap, 0, length, key.bytes, key.offset, key.offset + length);
    }
}
