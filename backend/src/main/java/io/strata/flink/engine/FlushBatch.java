/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.Expiry;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.RunSpec;
import java.io.IOException;

/**
 * The frozen entries of one table, ready to become one run. Read by the flush thread alone, which
 * owns the codecs behind it (I9).
 *
 * <p>Every composite key occurs at most once. Slices stay valid until the next call.
 */
interface FlushBatch {

    /** Returns what the run is called and how it is ordered. */
    RunSpec spec();

    /** Returns the number of entries. */
    int size();

    /** Returns the key group of an entry. */
    int keyGroup(int index);

    /** Points {@code out} at the composite key of an entry and returns its order key. */
    long encodeKey(int index, ByteSlice out) throws IOException;

    /** Returns what kind of record an entry becomes. */
    RecordKind kind(int index);

    /** Points {@code out} at the value of an entry that is no {@link RecordKind#DELETE}. */
    void encodeValue(int index, ByteSlice out) throws IOException;

    /** Returns the newest TTL timestamp in the value encoded last, or {@link Expiry#NO_TTL}. */
    default long ttlTimestamp() {
        return Expiry.NO_TTL;
    }
}
