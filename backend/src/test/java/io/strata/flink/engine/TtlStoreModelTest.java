/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.engine.TimedCells.Lifetime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A table whose values expire, against a map that forgets nothing: what lives is there, and when
 * the time to live is lengthened at last, what a key says is what was written last, or nothing, but
 * nothing older. {@code -Dstrata.seed} replays.
 */
class TtlStoreModelTest {

    private static final int SEEDS = 60;
    private static final int KEYS = 60;
    private static final long NO_END = Long.MAX_VALUE / 2;

    @TempDir Path temp;

    @Test
    void whatExpiredDoesNotComeBackAndWhatLivesStays() throws IOException {
        Long only = Long.getLong("strata.seed");
        long first = only == null ? 0 : only;
        for (long seed = first; seed < (only == null ? SEEDS : first + 1); seed++) {
            try {
                play(new Random(seed), temp.resolve("seed-" + seed));
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError("replay with -Dstrata.seed=" + seed, e);
            }
        }
    }

    /**
     * What was found expired stays below; written and removed at once, the key needs a tombstone.
     */
    @Test
    void aKeyFoundExpiredIsNotTakenForOneThatNeverWas() throws IOException {
        Lifetime lifetime = new Lifetime(100);
        try (TimedStore timed =
                new TimedStore(temp.resolve("store"), lifetime, 0, StoreTuning.standard())) {
            timed.table.put(1L, 0, 0L);
            timed.table.put(2L, 0, 50L);
            timed.settle();
            lifetime.clock().set(120);
            assertThat(timed.table.get(1L, 0)).isNull();
            timed.table.put(1L, 0, 120L);
            timed.table.remove(1L, 0);
            timed.store.flushAndEvictAll();
            timed.table.updateCodecs(
                    new TestCodecs.Keys(), new TimedCells(lifetime.withMillis(NO_END), 0));
            assertThat(timed.table.get(2L, 0)).isEqualTo(50L);
            assertThat(timed.table.get(1L, 0)).isNull();
        }
    }

    private void play(Random random, Path directory) throws IOException {
        Lifetime lifetime = new Lifetime(40 + random.nextInt(200));
        StoreTuning tuning =
                random.nextBoolean()
                        ? StoreTuning.standard()
                        : new StoreTuning(1 + random.nextInt(20), true, random.nextBoolean(), 32);
        // the last value of each key, null when it was deleted
        Map<Long, Long> written = new HashMap<>();
        try (TimedStore timed = new TimedStore(directory, lifetime, random.nextInt(60), tuning)) {
            for (int step = 0; step < 600; step++) {
                timed.store.recordBoundary();
                long now = lifetime.clock().addAndGet(random.nextInt(3));
                long key = random.nextInt(KEYS);
                switch (random.nextInt(20)) {
                    case 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 -> {
                        timed.table.put(key, 0, now);
                        written.put(key, now);
                    }
                    case 10 -> {
                        timed.table.remove(key, 0);
                        written.put(key, null);
                    }
                    case 11 -> timed.settle();
                    case 12 -> timed.store.flushAndEvictAll();
                    case 13 -> timed.store.snapshot().close();
                    case 15 -> { // all of one record
                        timed.table.get(key, 0);
                        timed.table.put(key, 0, now);
                        timed.table.remove(key, 0);
                        written.put(key, null);
                    }
                    case 14 -> lifetime.clock().addAndGet(random.nextInt(80));
                    default -> {
                        Long value = timed.table.get(key, 0);
                        Long last = written.get(key);
                        if (last != null && last + lifetime.millis() > now) {
                            assertThat(value).as("key %d lives", key).isEqualTo(last);
                        } else {
                            assertThat(value).as("key %d", key).isIn(last, null);
                        }
                    }
                }
                StoreInvariants.check(timed.store);
            }
            timed.store.flushAndEvictAll();
            timed.table.updateCodecs(
                    new TestCodecs.Keys(), new TimedCells(lifetime.withMillis(NO_END), 0));
            for (long key = 0; key < KEYS; key++) {
                Long last = written.get(key);
                assertThat(timed.table.get(key, 0)).as("key %d at last", key).isIn(last, null);
                if (last != null && last + lifetime.millis() > lifetime.clock().get()) {
                    assertThat(timed.table.get(key, 0)).as("key %d lives", key).isEqualTo(last);
                }
            }
        }
    }
}
