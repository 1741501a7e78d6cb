/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.bytes.ByteSlice;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Codecs over fixed-length numbers, so that the engine is tested without Flink. */
final class TestCodecs {

    static final int KEY_GROUPS = 8;

    private TestCodecs() {}

    static int keyGroupOf(long key) {
        return (int) Math.floorMod((key * 0x9E3779B97F4A7C15L) >>> 17, KEY_GROUPS);
    }

    /** Key group 1, key 8, namespace 4, user key 4 bytes. */
    static final class Keys implements MapKeyCodec<Long, Integer, Integer> {

        private static final int PREFIX = 1 + Long.BYTES + Integer.BYTES;

        private final byte[] bytes = new byte[PREFIX + Integer.BYTES];
        private final ByteBuffer buffer = ByteBuffer.wrap(bytes);

        @Override
        public int keyGroup(Long key) {
            return keyGroupOf(key);
        }

        @Override
        public int keyGroupPrefixBytes() {
            return 1;
        }

        @Override
        public void encode(Long key, Integer namespace, ByteSlice out) {
            buffer.put(0, (byte) keyGroupOf(key)).putLong(1, key).putInt(9, namespace);
            out.set(bytes, 0, PREFIX);
        }

        @Override
        public int encodeEntry(Long key, Integer namespace, Integer userKey, ByteSlice out) {
            encode(key, namespace, out);
            buffer.putInt(PREFIX, userKey);
            out.set(bytes, 0, bytes.length);
            return PREFIX;
        }

        @Override
        public Long decodeKey(ByteSlice composite) {
            return ByteBuffer.wrap(composite.bytes).getLong(composite.offset + 1);
        }

        @Override
        public Integer decodeNamespace(ByteSlice composite) {
            return ByteBuffer.wrap(composite.bytes).getInt(composite.offset + 9);
        }

        @Override
        public int prefixLength(ByteSlice composite) {
            return PREFIX;
        }

        @Override
        public Integer decodeUserKey(ByteSlice composite, int prefixLength) {
            return ByteBuffer.wrap(composite.bytes).getInt(composite.offset + prefixLength);
        }

        @Override
        public Keys duplicate() {
            return new Keys();
        }
    }

    /** One-element arrays, so that values can be changed in place; null is allowed. */
    static final class Cells implements ValueCodec<long[]> {

        private final byte[] bytes = new byte[1 + Long.BYTES];

        @Override
        public void encode(long[] value, ByteSlice out) {
            if (value == null) {
                out.set(bytes, 0, 1);
                bytes[0] = 1;
                return;
            }
            bytes[0] = 0;
            ByteBuffer.wrap(bytes).putLong(1, value[0]);
            out.set(bytes, 0, bytes.length);
        }

        @Override
        public long[] decode(ByteSlice in) {
            return in.bytes[in.offset] == 1
                    ? null
                    : new long[] {ByteBuffer.wrap(in.bytes).getLong(in.offset + 1)};
        }

        @Override
        public long[] copy(long[] value) {
            return value == null ? null : value.clone();
        }

        @Override
        public boolean immutable() {
            return false;
        }

        @Override
        public int fixedBytes() {
            return -1;
        }

        @Override
        public Cells duplicate() {
            return new Cells();
        }
    }

    /** Elements of 8 bytes. */
    static final class Elements extends FilledNumbers implements ElementCodec<Long> {

        Elements() {
            super(Long.BYTES);
        }

        @Override
        public Long decodeNext(ByteSlice in) throws IOException {
            if (in.length < Long.BYTES) {
                throw new EOFException();
            }
            long value = ByteBuffer.wrap(in.bytes).getLong(in.offset);
            int step = Math.min(in.length, Long.BYTES + 1);
            if (step > Long.BYTES && in.bytes[in.offset + Long.BYTES] != ',') {
                throw new IOException("No delimiter after element " + value);
            }
            in.set(in.bytes, in.offset + step, in.length - step);
            return value;
        }

        @Override
        public Elements duplicate() {
            return new Elements();
        }
    }
}
