/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import io.strata.flink.format.bytes.ByteSlice;
import java.io.IOException;

/**
 * Reads the timestamp that Flink writes before a value: eight bytes, big-endian, behind the null
 * flag of a map's value. Of itself it finds nothing expired; who knows how long values live extends
 * it.
 */
public class TimestampedValues implements Expiry {

    private final boolean flagged;
    private ByteSlice judged;
    private long newest = NO_TTL;

    /**
     * Creates a reader of timestamps.
     *
     * @param flagged whether a null flag comes before the timestamp
     */
    public TimestampedValues(boolean flagged) {
        this.flagged = flagged;
    }

    protected final boolean isFlagged() {
        return flagged;
    }

    @Override
    public final boolean hasTimestamps() {
        return true;
    }

    @Override
    public boolean isElementwise() {
        return false;
    }

    @Override
    public final long timestamp(ByteSlice bytes) {
        int at = flagged ? bytes.offset + 1 : bytes.offset;
        boolean isNull = flagged && bytes.length > 0 && bytes.bytes[bytes.offset] != 0;
        if (isNull || at + Long.BYTES > bytes.offset + bytes.length) {
            return NO_TTL; // a null has no timestamp, nor have damaged bytes
        }
        long timestamp = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            timestamp = timestamp << Byte.SIZE | (bytes.bytes[at + i] & 0xFF);
        }
        return timestamp;
    }

    @Override
    public void refresh() {}

    @Override
    public boolean isExpired(long timestamp) {
        return false;
    }

    @Override
    public boolean judge(ByteSlice value) throws IOException {
        found(value, timestamp(value));
        return !isExpired(newest);
    }

    /** Tells what {@link #judge} found. */
    protected final void found(ByteSlice live, long newestTimestamp) {
        judged = live;
        newest = newestTimestamp;
    }

    @Override
    public final ByteSlice live() {
        return judged;
    }

    @Override
    public final long newest() {
        return newest;
    }
}
