/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the model test itself: it accepts a correct backend and finds a broken one. */
class HarnessTest {

    private static final long SHRINK_MILLIS = 5_000;

    @TempDir Path directory;

    private ModelSeeds seedsOf(BackendUnderTest subject, int operations) {
        return new ModelSeeds(subject, directory, operations, SHRINK_MILLIS);
    }

    @Test
    void acceptsTheModelItself() throws Exception {
        assertThat(seedsOf(new HashMapUnderTest(), 2000).run(1, 4)).isEmpty();
    }

    @Test
    void acceptsRocksDb() throws Exception {
        assertThat(seedsOf(new RocksDbUnderTest(), 1000).run(1, 4)).isEmpty();
    }

    @Test
    void findsAForgottenClear() throws Exception {
        List<String> reports = seedsOf(new BrokenUnderTest(), 2000).run(1, 4);

        assertThat(reports).isNotEmpty();
        assertThat(reports.get(0))
                .contains("broken differs from hashmap, seed ")
                .contains("-Dstrata.model.seed=")
                .contains("Clear[at=Place[");
    }
}
