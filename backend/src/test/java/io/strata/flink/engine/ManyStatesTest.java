/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.compaction.SegmentPolicy;
import io.strata.flink.segment.RunView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many states in many small flushes: runs and files do not pile up. A small slice by default;
 * {@code -Dstrata.soak.flushes=5000} for more. {@code -Dstrata.seed} replays, {@code
 * -Dstrata.print} prints what ADR 0010 shows.
 */
class ManyStatesTest {

    private static final int FLUSHES = Integer.getInteger("strata.soak.flushes", 300);
    private static final long SEED = Long.getLong("strata.seed", 20260101);
    private static final int STATES = 200;
    private static final int FLUSH = 100;

    /** More than the keys of any state. */
    private static final long KEYS = 1_000_000;

    @TempDir Path root;

    private final Random random = new Random(SEED);
    private final Map<Long, Long> live = new HashMap<>();
    private SoakStore soak;

    /**
     * A few large states and a long tail of small ones, as of a job with many operators' states.
     */
    @Test
    void unevenStates() throws IOException {
        double[] cumulated = new double[STATES];
        double sum = 0;
        for (int i = 0; i < STATES; i++) {
            sum += 1.0 / (i + 1);
            cumulated[i] = sum;
        }
        double total = sum;
        play(
                "states written as 1/n",
                flush -> {
                    for (int i = 0; i < FLUSH; i++) {
                        int at = Arrays.binarySearch(cumulated, random.nextDouble() * total);
                        int state = at < 0 ? -at - 1 : at;
                        put(state, random.nextInt(Math.max(10, 4_000 / (state + 1))), flush);
                    }
                });
    }

    /** All states are written in every flush, two keys of each. */
    @Test
    void evenStates() throws IOException {
        play(
                "states written alike",
                flush -> {
                    for (int state = 0; state < STATES; state++) {
                        put(state, random.nextInt(60), flush);
                        put(state, random.nextInt(60), flush);
                    }
                });
    }

    /** One state is written in every flush, and each time another one once. */
    @Test
    void oneBusyStateAmongQuietOnes() throws IOException {
        play(
                "one busy state",
                flush -> {
                    for (int i = 0; i < FLUSH; i++) {
                        put(0, random.nextInt(1_000), flush);
                    }
                    put(1 + flush % (STATES - 1), flush, flush);
                });
    }

    /** What one flush writes. */
    private interface Writes {
        void flush(int number) throws IOException;
    }

    private void play(String name, Writes writes) throws IOException {
        try (SoakStore opened = new SoakStore(root.resolve("store"), STATES)) {
            soak = opened;
            int files = 0;
            int runs = 0;
            double held = 0;
            for (int flush = 0; flush < FLUSHES; flush++) {
                writes.flush(flush);
                soak.flush();
                soak.settle();
                files = Math.max(files, soak.files());
                runs = Math.max(runs, longestRunSet());
                held = Math.max(held, (double) soak.diskBytes() / usedBytes());
            }
            StoreStats stats = soak.store.stats();
            double merged = (double) stats.compactedBytes() / stats.flushedBytes();
            print(
                    "%-24s %d flushes of %d states: files %d, runs of a state %d, bytes of files over bytes in use %.2f, merged over flushed %.2f, merges %d"
                            .formatted(
                                    name,
                                    FLUSHES,
                                    STATES,
                                    files,
                                    runs,
                                    held,
                                    merged,
                                    stats.compactions()));
            assertThat(files).as("files").isLessThanOrEqualTo(SegmentPolicy.FEW_SEGMENTS);
            assertThat(runs).as("runs").isLessThanOrEqualTo(12);
            assertThat(held).as("bytes of files over bytes in use").isLessThanOrEqualTo(1.35);
            assertThat(merged).as("bytes merged over bytes flushed").isLessThanOrEqualTo(6);
            check();
        }
    }

    private int longestRunSet() {
        return soak.tables.stream().mapToInt(table -> table.runs.current().size()).max().orElse(0);
    }

    private long usedBytes() {
        long bytes = 0;
        for (ValueTable<Long, Integer, Long> table : soak.tables) {
            for (RunView view : table.runs.current().newestFirst()) {
                bytes += view.run().fileBytes();
            }
        }
        return bytes;
    }

    private void put(int state, long key, long value) throws IOException {
        soak.tables.get(state).put(key, 0, value);
        live.put(state * KEYS + key, value);
    }

    private void check() throws IOException {
        StoreInvariants.check(soak.store);
        for (Map.Entry<Long, Long> entry : live.entrySet()) {
            int state = (int) (entry.getKey() / KEYS);
            assertThat(soak.tables.get(state).get(entry.getKey() % KEYS, 0))
                    .as("state %d, key %d", state, entry.getKey() % KEYS)
                    .isEqualTo(entry.getValue());
        }
    }

    private static void print(String line) {
        if (System.getProperty("strata.print") != null) {
            System.out.println(line);
        }
    }
}
