/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Keys and values for the workloads: all from one seed, values that no codec can compress. */
final class RandomBytes {

    private static final int POOL_BYTES = 1 << 22;
    private static final long SEED = 42;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final byte[] pool = new byte[POOL_BYTES];
    private final int valueBytes;

    RandomBytes(int valueBytes) {
        this.valueBytes = valueBytes;
        random.nextBytes(pool);
    }

    /** A new value. */
    byte[] next() {
        int offset = random.nextInt(POOL_BYTES - valueBytes);
        return Arrays.copyOfRange(pool, offset, offset + valueBytes);
    }

    /** One of {@code keys} keys, each as likely as the others. */
    long nextKey(long keys) {
        return key(random.nextLong(keys));
    }

    int nextInt(int bound) {
        return random.nextInt(bound);
    }

    /** The key with this number: far from the keys beside it, as ids in real streams are. */
    static long key(long number) {
        long mixed = (number ^ (number >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ (mixed >>> 33);
    }
}
