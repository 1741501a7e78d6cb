/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.savepoint.WrittenOperator.Change;
import io.strata.flink.savepoint.WrittenOperator.Setup;
import java.io.File;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.runtime.state.ConfigurableStateBackend;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Canonical savepoints of Strata under random changes: entry for entry the bytes that Flink's own
 * backends write, and read by them at another parallelism.
 *
 * <p>{@code -Dstrata.savepoint.seeds=N} runs the first N seeds, {@code -Dstrata.savepoint.seed=N}
 * that one.
 */
class WrittenSavepointModelTest {

    private static final int SEEDS = Integer.getInteger("strata.savepoint.seeds", 20);
    private static final Long ONLY_SEED = Long.getLong("strata.savepoint.seed");
    private static final int[] MAX_PARALLELISM = {16, 16, 16, 16, 128, 128, 129, 4096};

    @TempDir File directory;

    @Test
    void writesWhatTheOtherBackendsWrite() throws Exception {
        long first = ONLY_SEED == null ? 0 : ONLY_SEED;
        for (long seed = first; seed < first + (ONLY_SEED == null ? SEEDS : 1); seed++) {
            try {
                new Run(seed, directory).run();
            } catch (Exception | AssertionError e) {
                throw new AssertionError(
                        "Failed; replay with -Dstrata.savepoint.seed=" + seed + ": " + e, e);
            }
        }
    }

    /** What one seed decides, and its run. */
    private static final class Run {
        private final Random random;
        private final Setup setup;
        private final List<WrittenState> states;
        private final int keys;
        private final boolean rocksWrites;

        Run(long seed, File directory) {
            random = new Random(seed * 0x9E3779B97F4A7C15L);
            WrittenKeys[] types = WrittenKeys.values();
            setup =
                    new Setup(
                            types[random.nextInt(types.length)],
                            MAX_PARALLELISM[random.nextInt(MAX_PARALLELISM.length)],
                            random.nextBoolean(),
                            new AtomicLong(1000),
                            directory);
            // With many key groups the heap backend's savepoints take seconds.
            rocksWrites = random.nextInt(3) == 0 || setup.maxParallelism() > 1000;
            List<WrittenState> all = new ArrayList<>(WrittenState.all());
            // The RocksDB backend writes expired map entries as null values.
            all.removeIf(s -> rocksWrites && s.kind() == WrittenState.Kind.MAP && isTtl(s));
            Collections.shuffle(all, random);
            states = all.subList(0, 1 + random.nextInt(8));
            keys = new int[] {3, 20, 100}[random.nextInt(3)];
        }

        void run() throws Exception {
            int parallelism = 1 + random.nextInt(3);
            List<KeyedStateHandle> handles;
            Map<String, String> contents;
            try (WrittenOperator reference = start(other(rocksWrites), parallelism, List.of());
                    WrittenOperator strata = start(strata(), parallelism, List.of())) {
                for (int i = random.nextInt(800); i > 0; i--) {
                    Change change = change();
                    reference.apply(change);
                    strata.apply(change);
                    setup.clock().addAndGet(random.nextInt(100) == 0 ? 30 : 0);
                }
                for (WrittenState state : states) {
                    reference.register(state);
                    strata.register(state);
                }
                setup.clock().addAndGet(random.nextInt(60));
                List<RunnableFuture<SnapshotResult<KeyedStateHandle>>> savepoint =
                        strata.begin(CanonicalSavepoints.inMemory());
                List<KeyedStateHandle> expected = reference.savepoint();
                contents = reference.read(states, keys, true);
                for (int i = random.nextInt(200); i > 0; i--) {
                    strata.apply(change());
                }
                handles = CanonicalSavepoints.finish(savepoint);
                assertThat(entries(handles)).isEqualTo(entries(expected));
            }
            readBy(random.nextBoolean(), handles, contents);
        }

        private void readBy(
                boolean rocks, List<KeyedStateHandle> handles, Map<String, String> contents)
                throws Exception {
            try (WrittenOperator restored = start(other(rocks), 1 + random.nextInt(3), handles)) {
                assertThat(restored.read(states, keys, true)).isEqualTo(contents);
            }
        }

        private WrittenOperator start(
                ConfigurableStateBackend backend, int parallelism, List<KeyedStateHandle> restored)
                throws Exception {
            return new WrittenOperator(setup, backend, parallelism, restored);
        }

        private Change change() {
            int place = random.nextInt(states.size() * 10 + 1);
            WrittenState state = place == 0 ? null : states.get((place - 1) / 10);
            int namespace = state == null ? 0 : random.nextInt(state.namespaces());
            boolean nullValues = rocksWrites && state != null && !isTtl(state);
            long recipe = random.nextLong();
            return new Change(state, random.nextInt(keys), namespace, recipe, nullValues);
        }

        private static boolean isTtl(WrittenState state) {
            return state.ttl() != WrittenState.Ttl.NONE;
        }

        private List<CanonicalSavepoints.Entry> entries(List<KeyedStateHandle> handles)
                throws Exception {
            return CanonicalSavepoints.entries(
                    handles, setup.keys().serializer(), setup.maxParallelism());
        }

        private static ConfigurableStateBackend other(boolean rocks) {
            return rocks ? WrittenBackends.rocksDb() : WrittenBackends.hashMap();
        }

        /** All hot; flushed and evicted every few operations; and what is between. */
        private ConfigurableStateBackend strata() {
            return switch (random.nextInt(3)) {
                case 0 -> WrittenBackends.allHot();
                case 1 -> WrittenBackends.allCold(3 + random.nextInt(30));
                default -> WrittenBackends.mixed(20 + random.nextInt(60));
            };
        }
    }
}
