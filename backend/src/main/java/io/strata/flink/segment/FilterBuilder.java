/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.segment.BlockedFilter;
import io.strata.flink.format.segment.FilterDescriptor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Collects the hashes of one key group after another and makes their filters. */
final class FilterBuilder {

    /** Hashes are kept in pieces: one array that grows would be copied, and be there twice then. */
    private static final int PIECE_HASHES = 1 << 10;

    private final boolean grouped;
    private final int bitsPerRecord;
    private final List<long[]> pieces = new ArrayList<>();
    private int count;
    private int lastGroupHash;

    FilterBuilder(boolean grouped, int bitsPerRecord) {
        this.grouped = grouped;
        this.bitsPerRecord = bitsPerRecord;
    }

    /** Adds the order key of the next record. */
    void add(long orderKey) {
        if (grouped) {
            int groupHash = (int) (orderKey >>> 32);
            if (count == 0 || groupHash != lastGroupHash) {
                addHash(FilterDescriptor.groupHash(groupHash));
                lastGroupHash = groupHash;
            }
        }
        addHash(FilterDescriptor.recordHash(orderKey));
    }

    private void addHash(long hash) {
        int within = count & (PIECE_HASHES - 1);
        if (count / PIECE_HASHES == pieces.size()) {
            pieces.add(new long[PIECE_HASHES]);
        }
        pieces.get(count / PIECE_HASHES)[within] = hash;
        count++;
    }

    /** Returns the bytes of the key group's filter and begins the next one. */
    byte[] finish() {
        int blocks = FilterDescriptor.blocksFor(count, bitsPerRecord);
        int[] words = new int[Math.multiplyExact(blocks, FilterDescriptor.BLOCK_WORDS)];
        for (int i = 0; i < count; i++) {
            BlockedFilter.add(
                    words, 0, blocks, pieces.get(i / PIECE_HASHES)[i & (PIECE_HASHES - 1)]);
        }
        count = 0;
        pieces.subList(Math.min(1, pieces.size()), pieces.size()).clear();
        byte[] bytes = new byte[Math.multiplyExact(words.length, Integer.BYTES)];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().put(words);
        return bytes;
    }
}
