/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The model test of Strata.
 *
 * <p>{@code -Dstrata.model.seeds=N} runs the first N seeds, {@code -Dstrata.model.seed=N} runs that
 * one, {@code -Dstrata.model.operations=N} sets the operations of a seed.
 */
class ModelTest {
    private static final int SEEDS = Integer.getInteger("strata.model.seeds", 200);
    private static final Long ONLY_SEED = Long.getLong("strata.model.seed");
    private static final int OPERATIONS = Integer.getInteger("strata.model.operations", 5000);
    private static final long SHRINK_MILLIS = 60_000;

    @Test
    void behavesAsTheHeapBackendDoes(@TempDir Path directory) throws Exception {
        ModelSeeds seeds =
                new ModelSeeds(new StrataUnderTest(), directory, OPERATIONS, SHRINK_MILLIS);

        assertThat(ONLY_SEED == null ? seeds.run(1, SEEDS) : seeds.run(ONLY_SEED, 1)).isEmpty();
    }
}
