/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * I6 in a real store, with real files: what {@code CompactionPolicyTest} plays without I/O. A small
 * slice by default; {@code -Dstrata.soak.flushes=10000} for the whole. {@code -Dstrata.seed}
 * replays, {@code -Dstrata.print} prints what ADR 0003 shows.
 */
class CompactionSoakTest {

    private static final int FLUSHES = Integer.getInteger("strata.soak.flushes", 250);
    private static final long SEED = Long.getLong("strata.seed", 20260101);

    /** Keys of one flush. */
    private static final int FLUSH = 100;

    /** The size of the state in flushes. */
    private static final int TIMES = FLUSHES >= 2_000 ? 100 : 25;

    private static final int KEYS = TIMES * FLUSH;

    @TempDir Path root;

    private final Random random = new Random(SEED);
    private final BitSet live = new BitSet();
    private SoakStore soak;
    private ValueTable<Long, Integer, Long> table;
    private double putBytes;

    /** What one flush writes. */
    private interface Writes {
        void flush(int number) throws IOException;
    }

    @Test
    void uniformUpdates() throws IOException {
        soak("uniform updates", true, flush -> putRandom(1));
    }

    @Test
    void skewedUpdates() throws IOException {
        soak("skewed updates", true, flush -> putRandom(4));
    }

    @Test
    void newKeysOnly() throws IOException {
        soak(
                "new keys only",
                false,
                flush -> {
                    for (int i = 0; i < FLUSH; i++) {
                        put(flush * FLUSH + i);
                    }
                });
    }

    @Test
    void deletesAndPutsInTurn() throws IOException {
        soak(
                "shrinking to a quarter and back",
                true,
                flush -> {
                    int deletedOfFour = flush / (2 * TIMES) % 2 == 0 ? 3 : 1;
                    for (int i = 0; i < FLUSH; i++) {
                        int key = random.nextInt(KEYS);
                        if (random.nextInt(4) < deletedOfFour) {
                            remove(key);
                        } else {
                            put(key);
                        }
                    }
                });
    }

    @Test
    void windows() throws IOException {
        soak(
                "windows of 20 flushes",
                false,
                flush -> {
                    for (int i = 0; i < FLUSH; i++) {
                        put(flush * FLUSH + i);
                        if (flush >= 20) {
                            remove((flush - 20) * FLUSH + i);
                        }
                    }
                });
    }

    private void soak(String name, boolean filled, Writes writes) throws IOException {
        try (SoakStore opened = new SoakStore(root.resolve("store"), 1)) {
            open(opened);
            if (filled) {
                fill();
            }
            play(name, writes);
        }
    }

    private void play(String name, Writes writes) throws IOException {
        StoreStats before = soak.store.stats();
        int runs = 0;
        double space = 0;
        double disk = 0;
        int warmUp = Math.min(FLUSHES / 4, 2 * TIMES);
        for (int flush = 0; flush < FLUSHES; flush++) {
            writes.flush(flush);
            soak.flush();
            if (flush >= warmUp) {
                runs = Math.max(runs, table.runs.current().size());
                space = Math.max(space, soak.store.stats().coldBytes() / liveBytes());
            }
            soak.settle();
            if (flush >= warmUp) {
                disk = Math.max(disk, soak.diskBytes() / liveBytes());
            }
        }
        StoreStats after = soak.store.stats();
        double flushed = after.flushedBytes() - before.flushedBytes();
        double writeAmplification =
                1 + (after.compactedBytes() - before.compactedBytes()) / flushed;
        print(
                "%-34s %d flushes: runs %d, write amplification %.2f, space %.2f, disk %.2f"
                        .formatted(name, FLUSHES, runs, writeAmplification, space, disk));
        StoreInvariants.check(soak.store);
        double times = liveBytes() / (FLUSH * putBytes);
        double decades = Math.max(0, Math.log10(times / 100));
        assertThat(runs).as("runs").isLessThanOrEqualTo((int) (8 + 4 * decades));
        assertThat(writeAmplification)
                .as("write amplification")
                .isLessThanOrEqualTo(6 + 1.5 * decades);
        assertThat(space).as("space").isLessThanOrEqualTo(2);
        assertThat(disk).as("bytes of files").isLessThanOrEqualTo(2);
        check();
    }

    /** Nine of ten keys go: what is rewritten is little more than what stays. */
    @Test
    void spaceReturnsAfterMassDeletes() throws IOException {
        try (SoakStore opened = new SoakStore(root.resolve("store"), 1)) {
            open(opened);
            fill();
            long stateBytes = soak.diskBytes();
            StoreStats before = soak.store.stats();
            for (int key = 0; key < KEYS; key++) {
                if (key % 10 != 0) {
                    remove(key);
                }
                if (key % (10 * FLUSH) == 0) {
                    soak.flush();
                    soak.settle();
                }
            }
            soak.flush();
            soak.settle();
            long rewritten = soak.store.stats().compactedBytes() - before.compactedBytes();
            print(
                    "deleting nine of ten: %d bytes, then %d; rewritten %d, read %d"
                            .formatted(
                                    stateBytes,
                                    soak.diskBytes(),
                                    rewritten,
                                    soak.store.stats().compactionReadBytes()
                                            - before.compactionReadBytes()));
            assertThat(soak.diskBytes()).isLessThanOrEqualTo((long) (2 * liveBytes()));
            assertThat(rewritten).isLessThan(stateBytes);
            check();
        }
    }

    /** When nothing is left, no byte is written, and the disk is empty. */
    @Test
    void allSpaceReturnsWhenAllIsDeleted() throws IOException {
        try (SoakStore opened = new SoakStore(root.resolve("store"), 1)) {
            open(opened);
            fill();
            StoreStats before = soak.store.stats();
            for (int key = 0; key < KEYS; key++) {
                remove(key);
            }
            soak.flush();
            soak.settle();
            assertThat(soak.store.stats().compactedBytes()).isEqualTo(before.compactedBytes());
            assertThat(soak.files()).isZero();
        }
    }

    private void open(SoakStore opened) {
        soak = opened;
        table = opened.tables.get(0);
    }

    private void fill() throws IOException {
        for (int key = 0; key < KEYS; key++) {
            put(key);
        }
        soak.flush();
    }

    private void putRandom(int skew) throws IOException {
        for (int i = 0; i < FLUSH; i++) {
            put((int) (KEYS * Math.pow(random.nextDouble(), skew)));
        }
    }

    private void put(int key) throws IOException {
        table.put((long) key, 0, (long) key);
        live.set(key);
    }

    private void remove(int key) throws IOException {
        table.remove((long) key, 0);
        live.clear(key);
    }

    private double liveBytes() {
        if (putBytes == 0) {
            // all records of the first flush are PUTs
            StoreStats stats = soak.store.stats();
            putBytes = (double) stats.coldBytes() / stats.coldRecords();
        }
        return live.cardinality() * putBytes;
    }

    private void check() throws IOException {
        assertThat(table.countEntries()).isEqualTo(live.cardinality());
        for (int i = 0; i < 100; i++) {
            int key = random.nextInt(live.length());
            assertThat(table.get((long) key, 0)).isEqualTo(live.get(key) ? (long) key : null);
        }
    }

    private static void print(String line) {
        if (System.getProperty("strata.print") != null) {
            System.out.println(line);
        }
    }
}
