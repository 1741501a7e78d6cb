/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.key.OrderKeys;
import java.io.IOException;
import java.util.Arrays;

/**
 * A walk over the entries of one map that the runs hold and the hot tier does not. Task thread
 * only.
 *
 * @param <K> the type of the keys
 * @param <N> the type of the namespaces
 * @param <UK> the type of the user keys
 */
final class ColdEntries<K, N, UK> {

    private final ColdCursor cursor;
    private final MapKeyCodec<K, N, UK> keys;

    /** The composite key bytes that all entries of the map begin with. */
    private final byte[] prefix;

    private final int groupHash;
    private UK userKey;

    /**
     * @param cursor begins at or before the first entry of the map
     * @param prefix the composite key bytes of the map
     */
    ColdEntries(ColdCursor cursor, MapKeyCodec<K, N, UK> keys, byte[] prefix) {
        this.cursor = cursor;
        this.keys = keys;
        this.prefix = prefix;
        int keyGroupPrefix = keys.keyGroupPrefixBytes();
        this.groupHash =
                OrderKeys.groupHash(prefix, keyGroupPrefix, prefix.length - keyGroupPrefix);
    }

    /** Moves to the next entry; false at the end. */
    boolean next() throws IOException {
        while (cursor.next() && OrderKeys.groupHashOf(cursor.orderKey()) == groupHash) {
            ByteSlice key = cursor.key();
            // another map may have the same hash, and its entries lie between those of this one
            if (beginsWithPrefix(key)) {
                userKey = keys.decodeUserKey(key, prefix.length);
                return true;
            }
        }
        userKey = null;
        return false;
    }

    private boolean beginsWithPrefix(ByteSlice key) {
        return key.length >= prefix.length
                && Arrays.equals(
                        key.bytes,
                        key.offset,
                        key.offset + prefix.length,
                        prefix,
                        0,
                        prefix.length);
    }

    UK userKey() {
        return userKey;
    }

    /** Returns the length of the composite key. */
    int keyBytes() {
        return cursor.key().length;
    }

    /** Returns the value's bytes, valid until the next move or change of the state. */
    ByteSlice value() throws IOException {
        return cursor.value();
    }
}
