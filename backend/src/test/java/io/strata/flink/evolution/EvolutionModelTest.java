/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.evolution;

import java.util.List;
import java.util.Random;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random lives of a job: operations, restarts from checkpoints and savepoints at other
 * parallelisms, in which the job may change its types and its backend each time.
 *
 * <p>One life alone: {@code -Dstrata.evolution.seed=N}.
 */
class EvolutionModelTest {

    private static final int KEYS = 25;
    private static final int USER_KEYS = 4;
    private static final int RESTARTS = 8;
    private static final int OPERATIONS = 60;
    private static final int NEWEST_VERSION = 4;
    private static final int MAX_PARALLELISM = 3;
    private static final Backends[] STRATA = {Backends.HOT, Backends.COLD, Backends.COMPACTING};

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void itemsAreReadAsTheyWereWritten(long number) throws Exception {
        long seed = Long.getLong("strata.evolution.seed", number);
        try (EvolvingJob job = new EvolvingJob()) {
            new Life(seed, job).run();
        } catch (Throwable e) {
            throw new AssertionError("-Dstrata.evolution.seed=" + seed, e);
        }
    }

    private static final class Life {

        private final Random random;
        private final EvolvingJob job;
        private final ItemStates states;
        private Backends backend;

        Life(long seed, EvolvingJob job) {
            this.random = new Random(seed);
            this.job = job;
            this.states = new ItemStates(job);
            this.backend = anyStrata();
        }

        private Backends anyStrata() {
            return STRATA[random.nextInt(STRATA.length)];
        }

        void run() throws Exception {
            start(List.of());
            for (int i = 0; i < RESTARTS; i++) {
                operate();
                restart();
            }
            states.checkAll(KEYS);
        }

        private void start(List<KeyedStateHandle> restored) throws Exception {
            job.start(backend.create(), 1 + random.nextInt(MAX_PARALLELISM), restored);
            boolean upgrades = states.version() < NEWEST_VERSION && random.nextInt(3) > 0;
            states.upgradeTo(states.version() + (upgrades && !restored.isEmpty() ? 1 : 0));
        }

        private void restart() throws Exception {
            boolean isFlinks = backend == Backends.HASHMAP || backend == Backends.ROCKSDB;
            if (isFlinks || random.nextInt(4) == 0) {
                List<KeyedStateHandle> savepoint = job.savepoint();
                backend =
                        random.nextInt(3) > 0
                                ? anyStrata()
                                : random.nextBoolean() ? Backends.HASHMAP : Backends.ROCKSDB;
                start(savepoint);
            } else {
                List<KeyedStateHandle> checkpoint = job.checkpoint();
                backend = anyStrata();
                start(checkpoint);
            }
        }

        private void operate() throws Exception {
            for (int i = random.nextInt(OPERATIONS); i > 0; i--) {
                int key = random.nextInt(KEYS);
                int number = random.nextInt(1000);
                switch (random.nextInt(9)) {
                    case 0, 1 -> states.put(key, number);
                    case 2, 3, 4 -> states.append(key, number);
                    case 5 -> states.putEntry(key, random.nextInt(USER_KEYS), number);
                    case 6 -> states.removeEntry(key, random.nextInt(USER_KEYS));
                    case 7 -> clearOrCheckpoint(key);
                    default -> states.check(key);
                }
            }
        }

        private void clearOrCheckpoint(int key) throws Exception {
            if (random.nextInt(3) == 0) {
                job.checkpoint();
            } else {
                states.clear(key);
            }
        }
    }
}
