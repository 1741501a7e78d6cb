/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

import static io.strata.flink.format.segment.FilterDescriptor.BLOCK_WORDS;

import java.nio.ByteBuffer;

/** Sets and asks the bits of the filters that {@link FilterDescriptor} specifies. */
public final class BlockedFilter {

    private static final int SALT_0 = 0x47b6137b;
    private static final int SALT_1 = 0x44974d91;
    private static final int SALT_2 = 0x8824ad5b;
    private static final int SALT_3 = 0xa2b7289d;
    private static final int SALT_4 = 0x705495c7;
    private static final int SALT_5 = 0x2df1424b;
    private static final int SALT_6 = 0x9efc4947;
    private static final int SALT_7 = 0x5c6bfb31;

    private BlockedFilter() {}

    /**
     * Adds a hash.
     *
     * @param words the words of the filter among others
     * @param start where the filter begins
     * @param blocks its number of blocks
     */
    public static void add(int[] words, int start, int blocks, long hash) {
        int at = start + FilterDescriptor.block(hash, blocks) * BLOCK_WORDS;
        int low = (int) hash;
        words[at] |= bit(low, SALT_0);
        words[at + 1] |= bit(low, SALT_1);
        words[at + 2] |= bit(low, SALT_2);
        words[at + 3] |= bit(low, SALT_3);
        words[at + 4] |= bit(low, SALT_4);
        words[at + 5] |= bit(low, SALT_5);
        words[at + 6] |= bit(low, SALT_6);
        words[at + 7] |= bit(low, SALT_7);
    }

    /**
     * Returns false when the hash was certainly not added; see {@link #add}.
     *
     * @param filters filters as {@link FilterDescriptor} has them, little-endian
     * @param start the index of the first byte of the one to ask
     */
    public static boolean mayContain(ByteBuffer filters, int start, int blocks, long hash) {
        int at = start + FilterDescriptor.block(hash, blocks) * FilterDescriptor.BLOCK_BYTES;
        int low = (int) hash;
        // One branch for all eight words: most lookups of absent keys fail, but at any of them.
        long missing = ~filters.getLong(at) & bits(low, SALT_0, SALT_1);
        missing |= ~filters.getLong(at + 8) & bits(low, SALT_2, SALT_3);
        missing |= ~filters.getLong(at + 16) & bits(low, SALT_4, SALT_5);
        missing |= ~filters.getLong(at + 24) & bits(low, SALT_6, SALT_7);
        return missing == 0;
    }

    private static long bits(int low, int evenSalt, int oddSalt) {
        return 1L << ((low * evenSalt) >>> 27) | 1L << (32 + ((low * oddSalt) >>> 27));
    }

    private static int bit(int low, int salt) {
        return 1 << ((low * salt) >>> 27);
    }
}
