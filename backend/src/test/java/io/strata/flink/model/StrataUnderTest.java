/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import io.strata.flink.StrataOptions;
import io.strata.flink.StrataStateBackend;
import java.util.Random;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.state.ConfigurableStateBackend;

/** Strata, with options that push its state between the tiers in every way. */
final class StrataUnderTest implements BackendUnderTest {
    private static final String[] HOT_SIZES = {"64kb", "256kb", "1mb", "32mb"};
    private static final String[] PAGE_SIZES = {"1kb", "4kb", "32kb"};
    private static final long[] MANAGED_BYTES = {32 << 10, 256 << 10, 4 << 20};

    /** A flush takes about a millisecond, so the frequent ones must be seldom. */
    private static final int[] FLUSH_EVERY = {0, 0, 0, 0, 0, 5, 20, 50, 100, 100, 500, 500};

    @Override
    public String name() {
        return "strata";
    }

    @Override
    public Options draw(Random random) {
        Configuration configuration = new Configuration();
        configuration.set(
                StrataOptions.HOT_SIZE,
                MemorySize.parse(HOT_SIZES[random.nextInt(HOT_SIZES.length)]));
        configuration.set(
                StrataOptions.PAGE_SIZE,
                MemorySize.parse(PAGE_SIZES[random.nextInt(PAGE_SIZES.length)]));
        configuration.set(StrataOptions.FILTER_BITS, 4 + random.nextInt(8));
        configuration.set(StrataOptions.TRANSFER_THREADS, 1 + random.nextInt(4));
        configuration.set(StrataOptions.BACKGROUND_THREADS, 2 + random.nextInt(3));
        configuration.set(
                StrataOptions.DEBUG_FLUSH_EVERY_OPERATIONS,
                FLUSH_EVERY[random.nextInt(FLUSH_EVERY.length)]);
        configuration.set(StrataOptions.DEBUG_EVICT_ALL, random.nextInt(3) == 0);
        configuration.set(StrataOptions.DEBUG_COMPACT_EVERY_FLUSH, random.nextInt(6) == 0);
        return new Options(configuration, MANAGED_BYTES[random.nextInt(MANAGED_BYTES.length)]);
    }

    @Override
    public ConfigurableStateBackend create(Configuration configuration) {
        return new StrataStateBackend().configure(configuration, getClass().getClassLoader());
    }

    @Override
    public boolean has(Ability ability) {
        return ability != Ability.COUNTS_MAP_AS_ONE;
    }
}
