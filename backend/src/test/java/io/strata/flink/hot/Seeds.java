/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.util.SplittableRandom;
import java.util.function.LongConsumer;

/**
 * Runs a random test for a number of seeds ({@code -Dstrata.hot.seeds}), or for one only ({@code
 * -Dstrata.hot.seed}), and names the seed of a failure.
 */
final class Seeds {

    private Seeds() {}

    static void run(int defaultSeeds, LongConsumer test) {
        Long only = Long.getLong("strata.hot.seed");
        long first = only == null ? 0 : only;
        long count = only == null ? Integer.getInteger("strata.hot.seeds", defaultSeeds) : 1;
        for (long seed = first; seed < first + count; seed++) {
            try {
                test.accept(seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        "Failed; replay with -Dstrata.hot.seed=" + seed + ": " + e, e);
            }
        }
    }

    static boolean oneIn(SplittableRandom random, int n) {
        return random.nextInt(n) == 0;
    }
}
