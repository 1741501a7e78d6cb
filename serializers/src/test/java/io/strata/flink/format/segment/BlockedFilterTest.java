/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BlockedFilterTest {

    private static final int RECORDS = 20_000;

    @Test
    void containsWhatWasAddedAndLittleElse() {
        assertThat(falsePositives(1, 10)).isBetween(0.005, 0.02);
        assertThat(falsePositives(2, 16)).isBetween(0.0, 0.002);
        assertThat(falsePositives(3, 5)).isBetween(0.05, 0.2);
    }

    /** Order keys of one group differ in their lower half only; of many groups, in both. */
    @Test
    void spreadsGroupedOrderKeys() {
        assertThat(falsePositives(i -> (0x1234_5678L << 32) | ((i * 0x9E37_79B9L) & 0xFFFF_FFFFL)))
                .isBetween(0.005, 0.02);
        assertThat(falsePositives(i -> (((long) i / 3) << 32) | (i % 3))).isBetween(0.005, 0.02);
    }

    @Test
    void groupsAndRecordsDoNotMeet() {
        Random random = new Random(4);
        for (int i = 0; i < 1000; i++) {
            int group = random.nextInt();
            long orderKey = ((long) group << 32) | (random.nextInt() & 0xFFFF_FFFFL);
            assertThat(FilterDescriptor.groupHash(group))
                    .isNotEqualTo(FilterDescriptor.recordHash(orderKey));
        }
    }

    @Test
    void hasAtLeastOneBlockAndNeverTooMany() {
        assertThat(FilterDescriptor.blocksFor(1, 1)).isEqualTo(1);
        assertThat(FilterDescriptor.blocksFor(25, 10)).isEqualTo(1);
        assertThat(FilterDescriptor.blocksFor(26, 10)).isEqualTo(2);
        assertThat(FilterDescriptor.blocksFor(Long.MAX_VALUE / 128, 64))
                .isEqualTo(Integer.MAX_VALUE / FilterDescriptor.BLOCK_WORDS);
        assertThat(FilterDescriptor.block(-1L, 1)).isZero();
        assertThat(FilterDescriptor.block(-1L, 1 << 28)).isEqualTo((1 << 28) - 1);
        assertThat(FilterDescriptor.block(0, 1 << 28)).isZero();
    }

    private interface OrderKeys {
        long orderKey(int i);
    }

    private static double falsePositives(OrderKeys keys) {
        int blocks = FilterDescriptor.blocksFor(RECORDS, 10);
        int[] words = new int[blocks * FilterDescriptor.BLOCK_WORDS];
        for (int i = 0; i < RECORDS; i++) {
            long hash = FilterDescriptor.recordHash(keys.orderKey(i));
            BlockedFilter.add(words, 0, blocks, hash);
        }
        ByteBuffer filter = bytes(words);
        int found = 0;
        for (int i = 0; i < RECORDS; i++) {
            long present = FilterDescriptor.recordHash(keys.orderKey(i));
            assertThat(BlockedFilter.mayContain(filter, 0, blocks, present)).isTrue();
            long absent = FilterDescriptor.recordHash(keys.orderKey(RECORDS + i));
            found += BlockedFilter.mayContain(filter, 0, blocks, absent) ? 1 : 0;
        }
        return found / (double) RECORDS;
    }

    private static double falsePositives(long seed, int bits) {
        Random random = new Random(seed);
        int start = 24;
        int blocks = FilterDescriptor.blocksFor(RECORDS, bits);
        int[] words = new int[start + blocks * FilterDescriptor.BLOCK_WORDS];
        long[] added = random.longs(RECORDS).toArray();
        for (long hash : added) {
            BlockedFilter.add(words, start, blocks, hash);
        }
        ByteBuffer filter = bytes(words);
        int startBytes = start * Integer.BYTES;
        for (long hash : added) {
            assertThat(BlockedFilter.mayContain(filter, startBytes, blocks, hash)).isTrue();
        }
        long found =
                random.longs(100_000)
                        .filter(hash -> BlockedFilter.mayContain(filter, startBytes, blocks, hash))
                        .count();
        return found / 100_000.0;
    }

    private static ByteBuffer bytes(int[] words) {
        ByteBuffer bytes =
                ByteBuffer.allocateDirect(words.length * Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(words);
        return bytes;
    }
}
