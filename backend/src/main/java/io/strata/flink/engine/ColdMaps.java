/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.key.OrderKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A walk over the maps of one table that the runs hold. Task thread only.
 *
 * <p>The entries of one map are neighbours, but for maps whose hashes collide: the maps met under
 * the present hash are remembered, so that each is met once.
 *
 * @param <K> the type of the keys
 * @param <N> the type of the namespaces
 */
final class ColdMaps<K, N> implements EntryCursor<K, N> {

    /** Tells whether the hot tier knows that an entry is gone. */
    @FunctionalInterface
    interface LiveCheck {
        boolean isLive(ByteSlice entryKey) throws IOException;
    }

    private final ColdCursor entries;
    private final MapKeyCodec<K, N, ?> keys;
    private final LiveCheck liveCheck;
    private final List<byte[]> metUnderHash = new ArrayList<>(1);
    private int metKeyGroup = -1;
    private int metHash;
    private K key;
    private N namespace;

    ColdMaps(ColdCursor entries, MapKeyCodec<K, N, ?> keys, LiveCheck liveCheck) {
        this.entries = entries;
        this.keys = keys;
        this.liveCheck = liveCheck;
    }

    @Override
    public boolean next() throws IOException {
        while (entries.next()) {
            ByteSlice entryKey = entries.key();
            int prefixLength = keys.prefixLength(entryKey);
            if (!isMet(entryKey, prefixLength) && liveCheck.isLive(entryKey)) {
                metUnderHash.add(
                        Arrays.copyOfRange(
                                entryKey.bytes, entryKey.offset, entryKey.offset + prefixLength));
                key = keys.decodeKey(entryKey);
                namespace = keys.decodeNamespace(entryKey);
                return true;
            }
        }
        return false;
    }

    private boolean isMet(ByteSlice entryKey, int prefixLength) {
        int hash = OrderKeys.groupHashOf(entries.orderKey());
        if (hash != metHash || entries.keyGroup() != metKeyGroup) {
            metUnderHash.clear();
            metHash = hash;
            metKeyGroup = entries.keyGroup();
            return false;
        }
        for (byte[] met : metUnderHash) {
            if (Arrays.equals(
                    met,
                    0,
                    met.length,
                    entryKey.bytes,
                    entryKey.offset,
                    entryKey.offset + prefixLength)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public K key() {
        return key;
    }

    @Override
    public N namespace() {
        return namespace;
    }
}
