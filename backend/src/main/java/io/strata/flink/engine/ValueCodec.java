/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.Expiry;
import io.strata.flink.compaction.ValueRules;
import io.strata.flink.format.bytes.ByteSlice;
import java.io.IOException;

/**
 * Translation of a value to its bytes and back.
 *
 * <p>Not thread-safe: every thread works on its own {@link #duplicate()} (I9).
 *
 * @param <V> the type of the values; for a map state, of the map's values, which may be null
 */
public interface ValueCodec<V> {

    /** Points {@code out} at the value's bytes, valid until the next call on this codec. */
    void encode(V value, ByteSlice out) throws IOException;

    /** Reads a value from exactly the given bytes. */
    V decode(ByteSlice in) throws IOException;

    /** Returns a deep copy, or the value itself when it is immutable. */
    V copy(V value);

    /** Tells whether values never change, so that sharing one is safe. */
    boolean immutable();

    /** Returns the number of bytes of every value, or -1 when it varies. */
    int fixedBytes();

    /** Returns what the bytes mean, of this codec's schema and of those before it. */
    default ValueRules rules() {
        return ValueRules.NONE;
    }

    /**
     * Returns a new judge of what has expired, {@link Expiry#NEVER} for values without TTL. It
     * belongs to the thread that owns this codec.
     */
    default Expiry expiry() {
        return Expiry.NEVER;
    }

    /** Returns an independent codec for another thread. */
    ValueCodec<V> duplicate();
}
