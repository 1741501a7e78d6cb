/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.segment.SegmentWriter;
import java.io.IOException;

/**
 * Judges the values of one state by the TTL timestamps in their bytes: when they were last used,
 * and whether that is too long ago.
 *
 * <p>Not thread-safe: belongs to the thread that asked for it (I9). Its clock never goes backwards,
 * so what it once called expired stays expired.
 */
public interface Expiry {

    /** The judge of values that have no timestamp and never expire. */
    Expiry NEVER = new NeverExpiry();

    /** The timestamp of what never expires. */
    long NO_TTL = SegmentWriter.NO_TTL;

    /**
     * The first bytes of a value that tell its timestamp, unless it is a list: a null flag and
     * eight bytes.
     */
    int HEAD_BYTES = 1 + Long.BYTES;

    /** Tells whether values have timestamps. All else is of interest only if they do. */
    boolean hasTimestamps();

    /** Tells whether values are lists, whose elements expire one by one. */
    boolean isElementwise();

    /**
     * Returns the timestamp of one value, or of one element of a list.
     *
     * @param bytes the whole or at least the first {@link #HEAD_BYTES} of it
     * @return milliseconds, or {@link #NO_TTL} when it never expires
     */
    long timestamp(ByteSlice bytes);

    /** Looks at the clock: all judgements from here to the next look are about that moment. */
    void refresh();

    /** Tells whether what has this timestamp has expired. */
    boolean isExpired(long timestamp);

    /**
     * Judges a value; {@link #live} and {@link #newest} tell more until the next call.
     *
     * @param value all of a list; of other values at least the first {@link #HEAD_BYTES}
     * @return false when nothing of it lives
     * @throws IOException if the bytes are no such value
     */
    boolean judge(ByteSlice value) throws IOException;

    /** Returns the value last judged: the given bytes, or those of the elements that live. */
    ByteSlice live();

    /** Returns the newest timestamp of what lives of the value last judged, or {@link #NO_TTL}. */
    long newest();

    /** Returns how long values live after their timestamp, in milliseconds. */
    default long timeToLiveMillis() {
        return Long.MAX_VALUE;
    }

    /**
     * Returns the time of the last look at the clock, in milliseconds: a value lives while less
     * than the time to live has passed since its timestamp.
     */
    default long now() {
        return 0;
    }

    /**
     * Returns a judge that also finds expired what background clean-up was told to leave; for the
     * thread that this one is for.
     */
    default Expiry always() {
        return this;
    }
}
