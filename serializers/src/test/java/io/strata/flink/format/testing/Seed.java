/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.testing;

import java.util.Random;

/**
 * The seed of a random test: {@code -Dstrata.seed=<long>} replays one, else it is fixed per test so
 * that a build is repeatable. The failing assertion must mention {@link #toString()}.
 */
public record Seed(long value) {

    /** Returns the seed given on the command line, else {@code preset}. */
    public static Seed orElse(long preset) {
        return new Seed(Long.getLong("strata.seed", preset));
    }

    public Random random() {
        return new Random(value);
    }

    @Override
    public String toString() {
        return "replay with -Dstrata.seed=" + value;
    }
}
