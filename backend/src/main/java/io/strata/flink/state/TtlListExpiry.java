/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.compaction.Expiry;
import io.strata.flink.engine.ElementCodec;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.state.ListFormat;
import java.io.IOException;

/**
 * Judges lists element by element. Every element begins with its timestamp; where one ends only its
 * serializer knows.
 */
final class TtlListExpiry extends TtlExpiry {

    private final ElementCodec<?> elements;
    private final ByteSlice rest = new ByteSlice();
    private final ByteSlice live = new ByteSlice();

    /** Takes a codec that nobody else uses. */
    TtlListExpiry(TimeToLive timeToLive, ElementCodec<?> elements) {
        super(timeToLive, false);
        this.elements = elements;
    }

    @Override
    public boolean isElementwise() {
        return true;
    }

    @Override
    public Expiry always() {
        return new TtlListExpiry(timeToLive().always(), elements.duplicate());
    }

    /** {@inheritDoc} Bytes are copied only if something has expired. */
    @Override
    public boolean judge(ByteSlice value) throws IOException {
        rest.set(value);
        long newest = Long.MIN_VALUE;
        boolean trimmed = false;
        while (rest.length > 0) {
            int start = rest.offset;
            long timestamp = timestamp(rest);
            elements.decodeNext(rest);
            if (isExpired(timestamp)) {
                if (!trimmed) {
                    trimmed = true;
                    keep(value, Math.max(0, start - value.offset - 1));
                }
                continue;
            }
            newest = Math.max(newest, timestamp);
            if (trimmed) {
                append(value, start, rest.offset - (rest.length > 0 ? 1 : 0));
            }
        }
        if (!trimmed) {
            found(value, value.length == 0 ? NO_TTL : newest);
            return true;
        }
        found(live, newest);
        return live.length > 0;
    }

    /** Begins with the first bytes of the value. */
    private void keep(ByteSlice value, int length) {
        if (live.bytes.length < value.length) {
            live.bytes = new byte[value.length];
        }
        live.set(live.bytes, 0, length);
        System.arraycopy(value.bytes, value.offset, live.bytes, 0, length);
    }

    private void append(ByteSlice value, int from, int to) {
        if (live.length > 0) {
            live.bytes[live.length++] = ListFormat.DELIMITER;
        }
        System.arraycopy(value.bytes, from, live.bytes, live.length, to - from);
        live.length += to - from;
    }
}
