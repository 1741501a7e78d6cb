/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.Expiry;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.key.OrderKeys;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.hot.DirtyEntries;
import io.strata.flink.hot.HotSlot;
import java.io.IOException;

/** The frozen slots of a map table on their way into a run. Flush thread only. */
final class MapEntryFlush<K, N, UK, UV> implements FlushBatch {

    private final RunSpec spec;
    private final MapKeyCodec<K, N, UK> keys;
    private final ValueCodec<UV> values;
    private final Expiry expiry;
    private final HotSlot<K, N, UK>[] slots;
    private long ttlTimestamp;

    @SuppressWarnings("unchecked")
    MapEntryFlush(
            RunSpec spec,
            MapKeyCodec<K, N, UK> keys,
            ValueCodec<UV> values,
            DirtyEntries<HotSlot<K, N, UK>> dirty) {
        this.spec = spec;
        this.keys = keys;
        this.values = values;
        this.expiry = values.expiry();
        this.slots = new HotSlot[dirty.size()];
        int i = 0;
        for (HotSlot<K, N, UK> slot : dirty) {
            slots[i++] = slot;
        }
    }

    @Override
    public RunSpec spec() {
        return spec;
    }

    @Override
    public int size() {
        return slots.length;
    }

    @Override
    public int keyGroup(int index) {
        return keys.keyGroup(slots[index].key());
    }

    @Override
    public long encodeKey(int index, ByteSlice out) throws IOException {
        HotSlot<K, N, UK> slot = slots[index];
        int prefixLength = keys.encodeEntry(slot.key(), slot.namespace(), slot.userKey(), out);
        return orderKey(keys.keyGroupPrefixBytes(), prefixLength, out);
    }

    /** Returns the order key of an entry of a map. */
    static long orderKey(int keyGroupPrefixBytes, int prefixLength, ByteSlice composite) {
        int groupHash =
                OrderKeys.groupHash(
                        composite.bytes,
                        composite.offset + keyGroupPrefixBytes,
                        prefixLength - keyGroupPrefixBytes);
        return OrderKeys.grouped(
                groupHash,
                composite.bytes,
                composite.offset + prefixLength,
                composite.length - prefixLength);
    }

    @Override
    public RecordKind kind(int index) {
        return slots[index].isTombstone() ? RecordKind.DELETE : RecordKind.PUT;
    }

    @Override
    @SuppressWarnings("unchecked")
    public void encodeValue(int index, ByteSlice out) throws IOException {
        values.encode((UV) slots[index].value(), out);
        ttlTimestamp = expiry.timestamp(out);
    }

    @Override
    public long ttlTimestamp() {
        return ttlTimestamp;
    }
}
