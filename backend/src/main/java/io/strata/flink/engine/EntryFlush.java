/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.hot.DirtyEntries;
import io.strata.flink.hot.HotEntry;
import java.io.IOException;

/** The frozen entries of a {@link KeyedTable} on their way into a run. Flush thread only. */
final class EntryFlush<K, N> implements FlushBatch {

    /** How the entries of one table become records. Not thread-safe; owned by the flush thread. */
    interface Encoder<K, N> {
        RecordKind kind(HotEntry<K, N> entry);

        void encodeValue(HotEntry<K, N> entry, ByteSlice out) throws IOException;

        /** Returns the newest TTL timestamp in the value encoded last. */
        long ttlTimestamp();
    }

    private final RunSpec spec;
    private final KeyCodec<K, N> keys;
    private final Encoder<K, N> encoder;
    private final HotEntry<K, N>[] entries;

    @SuppressWarnings("unchecked")
    EntryFlush(
            RunSpec spec,
            KeyCodec<K, N> keys,
            Encoder<K, N> encoder,
            DirtyEntries<HotEntry<K, N>> dirty) {
        this.spec = spec;
        this.keys = keys;
        this.encoder = encoder;
        this.entries = new HotEntry[dirty.size()];
        int i = 0;
        for (HotEntry<K, N> entry : dirty) {
            entries[i++] = entry;
        }
    }

    @Override
    public RunSpec spec() {
        return spec;
    }

    @Override
    public int size() {
        return entries.length;
    }

    @Override
    public int keyGroup(int index) {
        return keys.keyGroup(entries[index].key());
    }

    @Override
    public long encodeKey(int index, ByteSlice out) throws IOException {
        keys.encode(entries[index].key(), entries[index].namespace(), out);
        return TieredTable.flatOrderKey(keys, out);
    }

    @Override
    public RecordKind kind(int index) {
        return encoder.kind(entries[index]);
    }

    @Override
    public void encodeValue(int index, ByteSlice out) throws IOException {
        encoder.encodeValue(entries[index], out);
    }

    @Override
    public long ttlTimestamp() {
        return encoder.ttlTimestamp();
    }
}
