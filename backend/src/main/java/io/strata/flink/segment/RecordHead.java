/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.bytes.VarInts;
import io.strata.flink.format.segment.PageDescriptor;
import io.strata.flink.format.segment.RecordKind;
import java.nio.ByteBuffer;

/** The decoded head of one record, reusable. */
final class RecordHead {

    private static final int KIND_MASK = (1 << PageDescriptor.KIND_BITS) - 1;

    /** Where the key begins in the buffer. */
    int keyIndex;

    int keyBytes;
    long valueBytes;
    private int kindCode;

    /** Decodes the head of the record that begins at {@code index} of a verified page. */
    void read(ByteBuffer buffer, int index) {
        long key = VarInts.read(buffer, index);
        int at = index + VarInts.sizeOf(key);
        long sizeAndKind = VarInts.read(buffer, at);
        keyIndex = at + VarInts.sizeOf(sizeAndKind);
        keyBytes = (int) key;
        valueBytes = sizeAndKind >>> PageDescriptor.KIND_BITS;
        kindCode = (int) sizeAndKind & KIND_MASK;
    }

    RecordKind kind(Segment segment) throws CorruptFormatException {
        RecordKind kind = RecordKind.ofCode(kindCode);
        if (kind == null) {
            throw new CorruptFormatException(
                    segment.id().fileName(), "record kind", "0..2", kindCode);
        }
        return kind;
    }

    /** Returns the bytes of the record whose head began at {@code index}. */
    long recordBytes(int index) {
        return keyIndex - index + keyBytes + valueBytes;
    }
}
