/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random jobs on Flink's own backends whose canonical savepoints Strata restores, then goes on
 * with. A seed decides everything; {@code -Dstrata.import.seed} replays one.
 */
class SavepointImportModelTest {

    private static final Long ONLY_SEED = Long.getLong("strata.import.seed");
    private static final int SEEDS = Integer.getInteger("strata.import.seeds", 6);
    private static final int[] KEY_GROUPS = {128, 4096, 32768};
    private static final int[] KEYS = {3, 40, 300};

    @TempDir Path directory;

    @Test
    void restoresWhatFlinksBackendsWrote() throws Exception {
        long first = ONLY_SEED == null ? 1 : ONLY_SEED;
        int count = ONLY_SEED == null ? SEEDS : 1;
        for (long seed = first; seed < first + count; seed++) {
            Path own = Files.createDirectory(directory.resolve("seed-" + seed));
            try {
                run(seed, new Random(seed * 0x9E3779B97F4A7C15L), own);
            } catch (Throwable e) {
                throw new AssertionError("replay with -Dstrata.import.seed=" + seed, e);
            }
        }
    }

    private void run(long seed, Random random, Path own) throws Exception {
        switch (random.nextInt(4)) {
            case 0 -> run(seed, random, ImportKeys.TEXT, own);
            case 1 -> run(seed, random, ImportKeys.LONG, own);
            case 2 -> run(seed, random, ImportKeys.TUPLE, own);
            default -> run(seed, random, ImportKeys.POJO, own);
        }
    }

    private <K> void run(long seed, Random random, ImportKeys<K> keys, Path own) throws Exception {
        // Six neighbouring seeds have every backend with every length of the prefix.
        boolean rocksDb = seed % 2 == 0;
        int keyGroups = KEY_GROUPS[(int) (seed % KEY_GROUPS.length)];
        List<ImportState> states = ImportState.all();
        Collections.shuffle(states, random);
        states = new ArrayList<>(states.subList(0, 1 + random.nextInt(8)));
        boolean compressed = random.nextInt(3) == 0;
        int writers = 1 + random.nextInt(3);
        int readers = random.nextBoolean() ? writers : 1 + random.nextInt(4);
        int sortBytes =
                random.nextBoolean() ? 1 + random.nextInt(3000) : SavepointImport.SORT_BYTES;
        try (ImportJob<K> job = new ImportJob<>(keys.serializer(), keyGroups, own, compressed)) {
            ImportContent<K> content =
                    new ImportContent<>(
                            job, states, keys.keys(), KEYS[random.nextInt(KEYS.length)]);
            // hashmap cannot write a null value to a canonical savepoint
            content.withNullValues(rocksDb);
            job.restart(rocksDb ? rocksDb() : new HashMapStateBackend(), writers, List.of());
            content.change(random, random.nextInt(2000));
            content.addTimers(random, random.nextInt(100));
            List<KeyedStateHandle> savepoint = job.canonicalSavepoint();

            job.restart(job.strata(sortBytes), readers, savepoint);
            if (random.nextBoolean()) {
                assertThat(content.read()).isEqualTo(content.expected());
            }
            content.withNullValues(true);
            content.change(random, random.nextInt(500));
            content.addTimers(random, random.nextInt(20));
            assertThat(content.read()).isEqualTo(content.expected());
            List<KeyedStateHandle> checkpoint = job.checkpoint(7);

            job.restart(job.strata(sortBytes), 1 + random.nextInt(3), checkpoint);
            assertThat(content.read()).isEqualTo(content.expected());
            assertThat(content.pollTimers()).isEqualTo(content.expectedTimers());
        }
    }

    private static StateBackend rocksDb() {
        return new EmbeddedRocksDBStateBackend();
    }
}
