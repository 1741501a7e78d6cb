/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.BackendBuildingException;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.util.StateMigrationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Restores of canonical savepoints, one situation a test. */
class SavepointImportTest {

    private static final int FEW_BYTES = 100;
    private static final MapStateDescriptor<String, String> MAP =
            new MapStateDescriptor<>("map", StringSerializer.INSTANCE, StringSerializer.INSTANCE);

    @TempDir Path directory;

    /** RocksDB cannot leave out an entry in a snapshot: it flags it as null instead. */
    @Test
    void mapEntriesThatRocksDbFoundExpiredAreAbsent() throws Exception {
        MapStateDescriptor<String, String> living =
                new MapStateDescriptor<>(
                        "living", StringSerializer.INSTANCE, StringSerializer.INSTANCE);
        living.enableTimeToLive(
                StateTtlConfig.newBuilder(ImportState.TIME_TO_LIVE)
                        .cleanupFullSnapshot()
                        .setStateVisibility(
                                StateTtlConfig.StateVisibility.ReturnExpiredIfNotCleanedUp)
                        .build());
        try (ImportJob<Long> job = job(128)) {
            job.restart(new EmbeddedRocksDBStateBackend(), 1, List.of());
            for (long key = 0; key < 10; key++) {
                map(job, living, key).put("old", "x");
            }
            job.setTime(ImportState.TIME_TO_LIVE.toMillis() + 1);
            map(job, living, 3).put("new", "y");
            List<KeyedStateHandle> savepoint = job.canonicalSavepoint();

            job.restart(job.strata(SavepointImport.SORT_BYTES), 1, savepoint);

            AbstractKeyedStateBackend<Long> task = job.tasks().get(0);
            map(job, living, 3);
            try (Stream<Long> keys = task.getKeys("living", VoidNamespace.INSTANCE)) {
                assertThat(keys).containsExactly(3L);
            }
            assertThat(task.numKeyValueStateEntries()).isEqualTo(1);
            assertThat(contents(map(job, living, 3))).isEqualTo(Map.of("new", "y"));
            assertThat(map(job, living, 4).isEmpty()).isTrue();
            job.restart(job.strata(SavepointImport.SORT_BYTES), 2, job.checkpoint(1));
            assertThat(contents(map(job, living, 3))).isEqualTo(Map.of("new", "y"));
        }
    }

    @Test
    void nullValuesOfAMapWithoutTimeToLiveStayNull() throws Exception {
        try (ImportJob<Long> job = job(128)) {
            job.restart(new EmbeddedRocksDBStateBackend(), 1, List.of());
            map(job, MAP, 1).put("null", null);
            map(job, MAP, 1).put("one", "1");

            job.restart(job.strata(FEW_BYTES), 1, job.canonicalSavepoint());

            MapState<String, String> map = map(job, MAP, 1);
            assertThat(map.contains("null")).isTrue();
            assertThat(map.get("null")).isNull();
            assertThat(map.get("one")).isEqualTo("1");
            assertThat(map.keys()).containsExactlyInAnyOrder("null", "one");
        }
    }

    @Test
    void carriesOnAStateThatNobodyAsksFor() throws Exception {
        try (ImportJob<Long> job = job(4096)) {
            job.restart(new HashMapStateBackend(), 2, List.of());
            for (long key = 0; key < 200; key++) {
                map(job, MAP, key).put("a", "b" + key);
                value(job, "value", key).update("v" + key);
            }
            job.restart(job.strata(SavepointImport.SORT_BYTES), 3, job.canonicalSavepoint());
            assertThat(value(job, "value", 7).value()).isEqualTo("v7");
            job.restart(job.strata(SavepointImport.SORT_BYTES), 2, job.checkpoint(1));

            for (long key = 0; key < 200; key++) {
                assertThat(contents(map(job, MAP, key))).isEqualTo(Map.of("a", "b" + key));
            }
        }
    }

    @Test
    void restoresStatesWithoutEntries() throws Exception {
        try (ImportJob<Long> job = job(128)) {
            job.restart(new HashMapStateBackend(), 1, List.of());
            value(job, "empty", 1);
            value(job, "cleared", 1).update("x");
            value(job, "cleared", 1).clear();

            job.restart(job.strata(FEW_BYTES), 1, job.canonicalSavepoint());

            assertThat(value(job, "empty", 1).value()).isNull();
            assertThat(value(job, "cleared", 1).value()).isNull();
            value(job, "empty", 1).update("y");
            job.restart(job.strata(FEW_BYTES), 1, job.checkpoint(1));
            assertThat(value(job, "empty", 1).value()).isEqualTo("y");
        }
    }

    /** Every record is a part of its own, so parts are merged over several levels. */
    @Test
    void sortsAKeyGroupOfManyPartsAndOfLargeValues() throws Exception {
        int keys = SpilledRuns.FAN_IN * SpilledRuns.FAN_IN + 20;
        String large = "x".repeat(3 * EntryReader.PART_BYTES);
        try (ImportJob<Long> job = job(1)) {
            job.restart(new HashMapStateBackend(), 1, List.of());
            for (long key = 0; key < keys; key++) {
                value(job, "value", key).update(key == 100 ? large : "v" + key);
            }
            List<KeyedStateHandle> savepoint = job.canonicalSavepoint();

            job.restart(job.strata(1), 1, savepoint);

            assertThat(job.strataFiles()).hasSize(1);
            for (long key = 0; key < keys; key++) {
                assertThat(value(job, "value", key).value())
                        .isEqualTo(key == 100 ? large : "v" + key);
            }
        }
    }

    @Test
    void restoresTheTwoKindsOfHandlesBesideEachOther() throws Exception {
        try (ImportJob<Long> strata = job(128);
                ImportJob<Long> hashMap = job(128)) {
            strata.restart(strata.strata(FEW_BYTES), 2, List.of());
            hashMap.restart(new HashMapStateBackend(), 2, List.of());
            for (long key = 0; key < 100; key++) {
                value(strata, "value", key).update("s" + key);
                value(hashMap, "value", key).update("h" + key);
            }
            KeyedStateHandle lower = strata.checkpoint(1).get(0);
            List<KeyedStateHandle> canonical = hashMap.canonicalSavepoint();
            List<KeyedStateHandle> overlapping = new ArrayList<>(canonical);
            overlapping.add(lower);
            boolean[] isLower = new boolean[100];
            for (int key = 0; key < 100; key++) {
                isLower[key] = strata.taskOf((long) key) == strata.tasks().get(0);
            }

            assertThatThrownBy(() -> strata.restart(strata.strata(FEW_BYTES), 1, overlapping))
                    .isInstanceOf(BackendBuildingException.class)
                    .hasMessageContaining("restore one of the two");
            strata.restart(strata.strata(FEW_BYTES), 1, List.of(canonical.get(1), lower));

            for (int key = 0; key < 100; key++) {
                assertThat(value(strata, "value", key).value())
                        .isEqualTo((isLower[key] ? "s" : "h") + key);
            }
        }
    }

    @Test
    void refusesAnotherKeySerializer() throws Exception {
        try (ImportJob<Long> job = job(128);
                ImportJob<String> other =
                        new ImportJob<>(StringSerializer.INSTANCE, 128, directory, false)) {
            job.restart(new HashMapStateBackend(), 1, List.of());
            value(job, "value", 1).update("x");
            List<KeyedStateHandle> savepoint = job.canonicalSavepoint();
            StateBackend strata = other.strata(FEW_BYTES);

            assertThatThrownBy(() -> other.restart(strata, 1, savepoint))
                    .isInstanceOf(BackendBuildingException.class)
                    .hasCauseInstanceOf(StateMigrationException.class);
        }
    }

    private ImportJob<Long> job(int keyGroups) throws Exception {
        Path own = Files.createTempDirectory(directory, "job");
        return new ImportJob<>(LongSerializer.INSTANCE, keyGroups, own, false);
    }

    private static ValueState<String> value(ImportJob<Long> job, String name, long key)
            throws Exception {
        AbstractKeyedStateBackend<Long> task = job.taskOf(key);
        task.setCurrentKey(key);
        return task.getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new ValueStateDescriptor<>(name, StringSerializer.INSTANCE));
    }

    private static MapState<String, String> map(
            ImportJob<Long> job, MapStateDescriptor<String, String> descriptor, long key)
            throws Exception {
        AbstractKeyedStateBackend<Long> task = job.taskOf(key);
        task.setCurrentKey(key);
        return task.getPartitionedState(
                VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
    }

    private static Map<String, String> contents(MapState<String, String> map) throws Exception {
        Map<String, String> contents = new HashMap<>();
        for (Map.Entry<String, String> entry : map.entries()) {
            contents.put(entry.getKey(), entry.getValue());
        }
        return contents;
    }
}
