/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.evolution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.StrataKeyedStateBackend;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.util.StateMigrationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several versions of a schema at once in the runs of one state. */
class SchemaVersionsTest {

    private static final int KEYS = 60;

    @ParameterizedTest
    @EnumSource(names = {"HOT", "COLD", "COMPACTING"})
    void fourVersionsAreReadSideBySideAfterRescales(Backends backend) throws Exception {
        try (EvolvingJob job = new EvolvingJob()) {
            ItemStates states = ofThreeVersions(job, backend);

            job.start(backend.create(), 1, job.checkpoint());
            states.upgradeTo(4);

            states.checkAll(KEYS);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"HASHMAP", "ROCKSDB"})
    void aSavepointInTheMiddleIsUniform(Backends other) throws Exception {
        try (EvolvingJob job = new EvolvingJob()) {
            ItemStates states = ofThreeVersions(job, Backends.COLD);

            // the newest serializer fails if it is given any other version's bytes
            job.start(other.create(), 2, job.savepoint());
            states.upgradeTo(3);

            states.checkAll(KEYS);
        }
    }

    @Test
    void aSavepointOfAStateThatNobodyRegisteredIsUniform() throws Exception {
        try (EvolvingJob job = new EvolvingJob()) {
            ItemStates states = ofThreeVersions(job, Backends.COLD);

            job.start(Backends.HOT.create(), 2, job.checkpoint());
            job.start(Backends.HASHMAP.create(), 1, job.savepoint());
            states.upgradeTo(3);

            states.checkAll(KEYS);
        }
    }

    /** Versions 1, 2 and 3 have each written some keys, and a part of every list and map. */
    private static ItemStates ofThreeVersions(EvolvingJob job, Backends backend) throws Exception {
        ItemStates states = new ItemStates(job);
        List<KeyedStateHandle> handles = List.of();
        for (int version = 1; version <= 3; version++) {
            job.start(backend.create(), version, handles);
            states.upgradeTo(version);
            for (int key = 0; key < KEYS; key++) {
                if (key % 3 == version - 1 || version == 1) {
                    states.put(key, 100 * version + key);
                }
                states.append(key, 100 * version + key);
                states.putEntry(key, version, 100 * version + key);
            }
            states.checkAll(KEYS);
            if (version < 3) {
                handles = job.checkpoint();
            }
        }
        return states;
    }

    @Test
    void readsDoNotRewriteAndCompactionDoes() throws Exception {
        ValueStateDescriptor<Item> old = new ValueStateDescriptor<>("value", new ItemSerializer(1));
        ValueStateDescriptor<Item> now = new ValueStateDescriptor<>("value", new ItemSerializer(2));
        try (EvolvingJob job = new EvolvingJob()) {
            job.start(Backends.HOT.create(), 1, List.of());
            for (int key = 0; key < KEYS; key++) {
                job.at(key, old).update(item(key));
            }
            job.start(Backends.HOT.create(), 1, job.checkpoint()).register(now);
            for (int key = 0; key < KEYS; key++) {
                assertThat(job.at(key, now).value()).isEqualTo(item(key));
            }
            List<KeyedStateHandle> read = job.checkpoint();

            assertThat(SchemasOf.state(read, "value")).hasSize(1);
            assertThat(bytesWritten(job)).isZero();

            job.start(Backends.COMPACTING.create(), 1, read);
            for (int key = 0; key < 10; key++) {
                job.at(key, now).update(item(key + 1000));
            }
            List<KeyedStateHandle> compacted = job.checkpoint();

            assertThat(SchemasOf.state(compacted, "value"))
                    .hasSize(1)
                    .doesNotContainAnyElementsOf(SchemasOf.state(read, "value"));
            job.start(Backends.HOT.create(), 1, compacted);
            for (int key = 0; key < KEYS; key++) {
                assertThat(job.at(key, now).value()).isEqualTo(item(key < 10 ? key + 1000 : key));
            }
        }
    }

    private static long bytesWritten(EvolvingJob job) {
        return ((StrataKeyedStateBackend<?>) job.backend()).stats().flushedBytes()
                + ((StrataKeyedStateBackend<?>) job.backend()).stats().compactedBytes();
    }

    private static Item item(int number) {
        return new Item("name " + number, Item.NO_AMOUNT, Item.NO_NOTE);
    }

    @Test
    void anIncompatibleSerializerIsRefusedByName() throws Exception {
        try (EvolvingJob job = new EvolvingJob()) {
            job.start(Backends.HOT.create(), 1, List.of());
            ItemStates states = new ItemStates(job);
            states.upgradeTo(2);
            states.put(1, 1);
            job.start(Backends.HOT.create(), 1, job.checkpoint());

            assertThatThrownBy(
                            () ->
                                    job.register(
                                            new ValueStateDescriptor<>(
                                                    "value", new ItemSerializer(1))))
                    .isInstanceOf(StateMigrationException.class)
                    .hasMessageContaining("Operator evolving-0: State 'value'")
                    .hasMessageContaining("ItemSerializer of version 1")
                    .hasMessageContaining("ItemSerializer of version 2");
        }
    }

    /** A type may be read by its neighbour in time only: then the message says what to do. */
    @Test
    void aSchemaOlderThanTheLastThatCannotBeReadIsRefusedWithAWayOut() throws Exception {
        try (EvolvingJob job = new EvolvingJob()) {
            job.start(Backends.HOT.create(), 1, List.of());
            ValueStateDescriptor<Item> first =
                    new ValueStateDescriptor<>("value", ItemSerializer.withShortMemory(1));
            job.at(1, first).update(item(1));
            job.start(Backends.HOT.create(), 1, job.checkpoint());
            ValueStateDescriptor<Item> second =
                    new ValueStateDescriptor<>("value", ItemSerializer.withShortMemory(2));
            job.at(2, second).update(item(2));
            List<KeyedStateHandle> mixed = job.checkpoint();
            List<KeyedStateHandle> uniform = job.savepoint();
            ValueStateDescriptor<Item> third =
                    new ValueStateDescriptor<>("value", ItemSerializer.withShortMemory(3));

            job.start(Backends.HOT.create(), 1, mixed);
            assertThatThrownBy(() -> job.register(third))
                    .isInstanceOf(StateMigrationException.class)
                    .hasMessageContaining("'value'")
                    .hasMessageContaining("ItemSerializer of version 3")
                    .hasMessageContaining("Snapshot of version 1")
                    .hasMessageContaining("savepoint --type canonical");

            job.start(Backends.HOT.create(), 1, uniform);
            assertThat(job.at(1, third).value()).isEqualTo(item(1));
            assertThat(job.at(2, third).value()).isEqualTo(item(2));
        }
    }

    /** A list of megabytes is streamed, and goes on after its runs were rewritten meanwhile. */
    @Test
    void aStreamedListOfOldElementsGoesOnWhenACompactionConvertsIt() throws Exception {
        int elements = 40_000;
        ListStateDescriptor<Item> old = new ListStateDescriptor<>("list", new ItemSerializer(1));
        ListStateDescriptor<Item> now = new ListStateDescriptor<>("list", new ItemSerializer(2));
        ValueStateDescriptor<Integer> other =
                new ValueStateDescriptor<>("other", IntSerializer.INSTANCE);
        try (EvolvingJob job = new EvolvingJob()) {
            job.start(Backends.HOT.create(), 1, List.of());
            for (int i = 0; i < elements; i++) {
                job.at(1, old).add(longItem(i));
            }
            job.start(Backends.SMALL.create(), 1, job.checkpoint()).register(now);
            ListState<Item> list = job.at(1, now);
            List<Item> found = new ArrayList<>();
            var iterator = list.get().iterator();
            for (int i = 0; i < elements / 2; i++) {
                found.add(iterator.next());
            }
            long before = compactions(job);
            for (int i = 0; compactions(job) == before; i++) {
                job.at(2 + i % KEYS, now).add(longItem(i));
                job.at(2 + i % KEYS, other).update(i);
                if (i % 1000 == 0) {
                    job.checkpoint();
                }
            }
            job.at(1, now);
            iterator.forEachRemaining(found::add);

            assertThat(found).hasSize(elements);
            for (int i = 0; i < elements; i++) {
                assertThat(found.get(i)).isEqualTo(longItem(i));
            }
        }
    }

    private static long compactions(EvolvingJob job) {
        return ((StrataKeyedStateBackend<?>) job.backend()).stats().compactions();
    }

    private static Item longItem(int number) {
        return new Item(
                "name %d %s".formatted(number, "x".repeat(number % 200)),
                Item.NO_AMOUNT,
                Item.NO_NOTE);
    }
}
