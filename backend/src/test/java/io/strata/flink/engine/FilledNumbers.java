/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.bytes.ByteSlice;
import java.nio.ByteBuffer;

/** Numbers with zeros behind them, to make values of any size. */
class FilledNumbers implements ValueCodec<Long> {

    private final byte[] bytes;

    FilledNumbers(int valueBytes) {
        this.bytes = new byte[valueBytes];
    }

    @Override
    public void encode(Long value, ByteSlice out) {
        ByteBuffer.wrap(bytes).putLong(value);
        out.set(bytes, 0, bytes.length);
    }

    @Override
    public Long decode(ByteSlice in) {
        return ByteBuffer.wrap(in.bytes).getLong(in.offset);
    }

    @Override
    public Long copy(Long value) {
        return value;
    }

    @Override
    public boolean immutable() {
        return true;
    }

    @Override
    public int fixedBytes() {
        return bytes.length;
    }

    @Override
    public FilledNumbers duplicate() {
        return new FilledNumbers(bytes.length);
    }
}
