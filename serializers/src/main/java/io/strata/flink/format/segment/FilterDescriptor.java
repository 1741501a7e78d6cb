/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

/**
 * Layout of a filter: a split-block Bloom filter as Parquet specifies it, one per key group.
 *
 * <pre>
 *    0       4       8       12      16      20      24      28      32
 *   +-------+-------+-------+-------+-------+-------+-------+-------+
 *   | word 0| word 1| word 2| word 3| word 4| word 5| word 6| word 7|   block 0
 *   +-------+-------+-------+-------+-------+-------+-------+-------+
 *   | ...                                                           |   block 1 ...
 * </pre>
 *
 * <p>A 64-bit hash sets one bit in each of the eight words of one block: its upper 32 bits times
 * the number of blocks, shifted right by 32, choose the block; its lower 32 bits times the salt of
 * the word, shifted right by 27, choose the bit.
 *
 * <p>The hash is {@link #recordHash} of each record's order key, and in a grouped run also {@link
 * #groupHash} of each group hash. Both mix: neighbours in a grouped run share their upper bits.
 */
public final class FilterDescriptor {

    public static final int BLOCK_BYTES = 32;
    public static final int BLOCK_BITS = BLOCK_BYTES * Byte.SIZE;
    public static final int BLOCK_WORDS = BLOCK_BYTES / Integer.BYTES;

    private FilterDescriptor() {}

    /** Returns the filter's hash of an order key: MurmurHash3's 64-bit finalizer. */
    public static long recordHash(long orderKey) {
        long h = orderKey;
        h ^= h >>> 33;
        h *= 0xFF51_AFD7_ED55_8CCDL;
        h ^= h >>> 33;
        h *= 0xC4CE_B9FE_1A85_EC53L;
        return h ^ (h >>> 33);
    }

    /** Returns the filter's hash of a group: that of the order key ~(group hash * 2^32). */
    public static long groupHash(int groupHash) {
        return recordHash(~((long) groupHash << 32));
    }

    /** Returns the block of a hash in a filter of {@code blocks} blocks. */
    public static int block(long hash, int blocks) {
        return (int) (((hash >>> 32) * blocks) >>> 32);
    }

    /** Returns the number of blocks for a number of hashes. */
    public static int blocksFor(long hashes, int bitsPerRecord) {
        long blocks = (hashes * bitsPerRecord + BLOCK_BITS - 1) / BLOCK_BITS;
        return (int) Math.max(1, Math.min(blocks, Integer.MAX_VALUE / BLOCK_WORDS));
    }
}
