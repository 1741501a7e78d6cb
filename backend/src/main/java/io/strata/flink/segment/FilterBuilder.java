/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.segment.BlockedFilter;
import io.strata.flink.format.segment.FilterDescriptor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Collects the hashes of one key group after another and makes their filters. */
final class FilterBuilder {

    private static final int INITIAL_HASHES = 256;

    private final boolean grouped;
    private final int bitsPerRecord;
    private long[] hashes = new long[INITIAL_HASHES];
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
        if (count == hashes.length) {
            hashes = Arrays.copyOf(hashes, count + (count >> 1));
        }
        hashes[count++] = hash;
    }

    /** Returns the bytes of the key group's filter and begins the next one. */
    byte[] finish() {
        int blocks = FilterDescriptor.blocksFor(count, bitsPerRecord);
        int[] words = new int[Math.multiplyExact(blocks, FilterDescriptor.BLOCK_WORDS)];
        for (int i = 0; i < count; i++) {
            BlockedFilter.add(words, 0, blocks, hashes[i]);
        }
        count = 0;
        byte[] bytes = new byte[Math.multiplyExact(words.length, Integer.BYTES)];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().put(words);
        return bytes;
    }
}
