/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.StrataOptions;
import io.strata.flink.StrataStateBackend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Canonical savepoints from one backend to Strata and on to another, in unusual situations. */
class SavepointEdgesTest {

    private static final int SORT_BYTES = 1 << 10;
    private static final int KEYS = 100;

    @TempDir Path directory;

    /**
     * Tasks register what they meet first, so the numbers of the states differ from file to file.
     */
    @Test
    void statesAndQueuesHaveOtherNumbersInEveryFile() throws Exception {
        for (StateBackend first :
                List.of(
                        new HashMapStateBackend(),
                        new EmbeddedRocksDBStateBackend(),
                        strataIn("first"))) {
            try (ImportJob<Long> job = job(128)) {
                job.restart(first, 3, List.of());
                for (int task = 0; task < 3; task++) {
                    for (int i = 0; i < 3; i++) {
                        fill(job, task, (task + i) % 3);
                    }
                }
                restartAndGoOnAtOnce(job);
                assertThat(all(job)).isEqualTo(expected());
            }
        }
    }

    /**
     * Nothing was registered, nor any record processed, between a restore and the next savepoint.
     */
    private static void restartAndGoOnAtOnce(ImportJob<Long> job) throws Exception {
        job.restart(job.strata(SORT_BYTES), 2, job.canonicalSavepoint());
        job.restart(job.strata(SORT_BYTES), 5, job.checkpoint(1));
        job.restart(job.strata(SORT_BYTES), 1, job.canonicalSavepoint());
        job.restart(new EmbeddedRocksDBStateBackend(), 2, job.canonicalSavepoint());
        job.restart(new HashMapStateBackend(), 1, job.canonicalSavepoint());
    }

    /** One of two kinds of state, or timers, for the keys of one task. */
    private static void fill(ImportJob<Long> job, int task, int kind) throws Exception {
        List<Long> keys =
                LongStream.range(0, KEYS)
                        .boxed()
                        .filter(key -> job.taskOf(key) == job.tasks().get(task))
                        .toList();
        value(job, "empty", keys.get(0)); // has a number, but never an entry
        for (int i = 0; i < 3 && kind == 2; i++) {
            var timers = timers(job, task, (task + i) % 3);
            keys.forEach(
                    key ->
                            timers.add(
                                    new TimerHeapInternalTimer<>(
                                            key, key, VoidNamespace.INSTANCE)));
        }
        for (long key : keys) {
            if (kind == 0) {
                value(job, "a", key).update("a" + key);
            } else if (kind == 1) {
                map(job, "m", key).put("u" + key, "m" + key);
            }
        }
    }

    private static TreeSet<String> all(ImportJob<Long> job) throws Exception {
        TreeSet<String> found = new TreeSet<>();
        for (long key = 0; key < KEYS; key++) {
            found.add(key + value(job, "a", key).value());
            found.add(key + map(job, "m", key).get("u" + key));
        }
        for (int queue = 0; queue < 3; queue++) {
            KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<Long, VoidNamespace>> timers =
                    timers(job, 0, queue);
            for (var timer = timers.poll(); timer != null; timer = timers.poll()) {
                found.add(queue + " " + timer.getKey() + " " + timer.getTimestamp());
            }
        }
        return found;
    }

    private static TreeSet<String> expected() {
        TreeSet<String> expected = new TreeSet<>();
        for (int key = 0; key < KEYS; key++) {
            expected.add(key + "a" + key);
            expected.add(key + "m" + key);
            for (int queue = 0; queue < 3; queue++) {
                expected.add(queue + " " + key + " " + key);
            }
        }
        return expected;
    }

    /** Such serializers exist for types with one instance, such as records without fields. */
    @Test
    void valuesAndUserKeysWithoutAnyByte() throws Exception {
        ValueStateDescriptor<String> value = new ValueStateDescriptor<>("v", Nothing.INSTANCE);
        MapStateDescriptor<String, String> map =
                new MapStateDescriptor<>("m", Nothing.INSTANCE, Nothing.INSTANCE);
        for (StateBackend first :
                List.of(
                        new HashMapStateBackend(),
                        new EmbeddedRocksDBStateBackend(),
                        strataIn("second"))) {
            try (ImportJob<Long> job = job(1)) {
                job.restart(first, 1, List.of());
                for (long key = 0; key < KEYS; key++) {
                    state(job, key, value).update("");
                    state(job, key, map).put("", "");
                }
                restartAtOne(job);
                for (long key = 0; key < KEYS; key++) {
                    assertThat(state(job, key, value).value()).isEmpty();
                    assertThat(state(job, key, map).get("")).isEmpty();
                }
                assertThat(state(job, KEYS, value).value()).isNull();
                assertThat(state(job, KEYS, map).contains("")).isFalse();
            }
        }
    }

    private static void restartAtOne(ImportJob<Long> job) throws Exception {
        job.restart(job.strata(SORT_BYTES), 1, job.canonicalSavepoint());
        job.restart(job.strata(SORT_BYTES), 1, job.canonicalSavepoint());
        job.restart(new HashMapStateBackend(), 1, job.canonicalSavepoint());
        job.restart(job.strata(SORT_BYTES), 1, job.canonicalSavepoint());
    }

    /** Many states in the most key groups that there can be: every state has an open file. */
    @Test
    void manyStatesInTheMostKeyGroups() throws Exception {
        int states = 50;
        try (ImportJob<Long> job = job(32768)) {
            job.restart(strataIn("many"), 2, List.of());
            for (long key = 0; key < KEYS; key++) {
                for (int i = 0; i < states; i++) {
                    value(job, "s" + i, key).update(i + ":" + key);
                }
            }
            List<KeyedStateHandle> savepoint = job.canonicalSavepoint();

            job.restart(job.strata(SORT_BYTES), 1, savepoint);

            assertThat(job.strataFiles()).hasSize(states);
            for (long key = 0; key < KEYS; key++) {
                for (int i = 0; i < states; i++) {
                    assertThat(value(job, "s" + i, key).value()).isEqualTo(i + ":" + key);
                }
            }
        }
    }

    private StateBackend strataIn(String name) throws Exception {
        Path own = Files.createDirectories(directory.resolve(name));
        return new StrataStateBackend().set(StrataOptions.LOCAL_DIRECTORIES, own.toString());
    }

    private ImportJob<Long> job(int keyGroups) throws Exception {
        Path own = Files.createTempDirectory(directory, "job");
        return new ImportJob<>(LongSerializer.INSTANCE, keyGroups, own, false);
    }

    private static KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<Long, VoidNamespace>>
            timers(ImportJob<Long> job, int task, int queue) {
        return job.tasks()
                .get(task)
                .create(
                        "q" + queue,
                        new TimerSerializer<>(
                                LongSerializer.INSTANCE, VoidNamespaceSerializer.INSTANCE));
    }

    private static ValueState<String> value(ImportJob<Long> job, String name, long key)
            throws Exception {
        return state(job, key, new ValueStateDescriptor<>(name, StringSerializer.INSTANCE));
    }

    private static MapState<String, String> map(ImportJob<Long> job, String name, long key)
            throws Exception {
        return state(
                job,
                key,
                new MapStateDescriptor<>(
                        name, StringSerializer.INSTANCE, StringSerializer.INSTANCE));
    }

    private static <S extends State> S state(
            ImportJob<Long> job, long key, StateDescriptor<S, ?> descriptor) throws Exception {
        AbstractKeyedStateBackend<Long> task = job.taskOf(key);
        task.setCurrentKey(key);
        return task.getPartitionedState(
                VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
    }

    /** Writes nothing for the only value that there is. */
    static final class Nothing extends TypeSerializerSingleton<String> {

        private static final long serialVersionUID = 1L;
        static final Nothing INSTANCE = new Nothing();

        @Override
        public boolean isImmutableType() {
            return true;
        }

        @Override
        public String createInstance() {
            return "";
        }

        @Override
        public String copy(String from) {
            return from;
        }

        @Override
        public String copy(String from, String reuse) {
            return from;
        }

        @Override
        public int getLength() {
            return 0;
        }

        @Override
        public void serialize(String value, DataOutputView target) {}

        @Override
        public String deserialize(DataInputView source) {
            return "";
        }

        @Override
        public String deserialize(String reuse, DataInputView source) {
            return "";
        }

        @Override
        public void copy(DataInputView source, DataOutputView target) {}

        @Override
        public TypeSerializerSnapshot<String> snapshotConfiguration() {
            return new NothingSnapshot();
        }
    }

    /** Flink makes it by reflection. */
    public static final class NothingSnapshot extends SimpleTypeSerializerSnapshot<String> {
        public NothingSnapshot() {
            super(() -> (TypeSerializer<String>) Nothing.INSTANCE);
        }
    }
}
