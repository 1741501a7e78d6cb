/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** When loads are kept: not while hardly anything is found, and again when it is. */
class AdmissionTest {

    private static final int CAPACITY = 2000;
    private static final int MANY = 1_000_000;

    private final SplittableRandom random = new SplittableRandom(7);
    private final HotTable<Integer, String> table =
            new HotTable<>(new EpochClock(), new HotBytes());
    private int limit = CAPACITY;
    private int hits;
    private int kept;

    @Test
    void loadsAreNotKeptWhileHardlyAnythingIsFound() {
        access(50_000, MANY);
        assertThat(kept).isLessThan(6000);
        table.checkStructure();
    }

    @Test
    void aTableThatFillsKeepsWhatItLoads() {
        for (int key = 0; key < CAPACITY; key++) {
            access(key);
        }
        assertThat(kept).isEqualTo(CAPACITY);
    }

    @Test
    void whenHitsReturnLoadsAreKept() {
        access(50_000, MANY);
        access(5000, CAPACITY / 2);
        access(5000, CAPACITY / 2);
        assertThat(hits).isGreaterThan(4900);
        access(3000, 3 * CAPACITY);
        assertThat(kept + hits).isEqualTo(3000);
    }

    /** A ratio between the two thresholds changes nothing, whichever way it was before. */
    @Test
    void betweenTheThresholdsNothingChanges() {
        int some = (int) (CAPACITY * 11.5);
        access(20_000, some);
        assertThat(kept + hits).isEqualTo(20_000);
    }

    @Test
    void roomThatIsFoundLaterIsFilled() {
        access(50_000, MANY);
        limit = 10 * CAPACITY;
        access(50_000, MANY);
        assertThat(table.entries()).isGreaterThan(5 * CAPACITY);
    }

    private void access(int times, int keys) {
        hits = 0;
        kept = 0;
        for (int i = 0; i < times; i++) {
            access(random.nextInt(keys));
        }
    }

    private void access(int key) {
        if (table.find(key, "") != null) {
            hits++;
        } else if (table.admits(key, "")) {
            kept++;
            table.insertClean(key, "", "", 0);
            if (table.entries() > limit) {
                table.evict((long) EpochTable.NODE_BYTES * CAPACITY / 32);
            }
        }
    }
}
