/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.evolution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of serializer through the life of a job that changes its types twice: what each
 * version wrote is read by each later one, in all kinds of state, after rescales, and by {@code
 * hashmap} from a canonical savepoint.
 */
class SerializerKindsTest {

    private static final int KEYS = 15;
    private static final int[] PARALLELISM = {0, 1, 3, 2};

    @TempDir static Path directory;

    static Stream<Arguments> kinds() {
        List<Arguments> all = new ArrayList<>();
        for (Backends backend : List.of(Backends.COLD, Backends.COMPACTING)) {
            all.add(
                    Arguments.of(
                            "POJO", new PojoKind(directory.resolve("pojo" + backend)), backend));
            all.add(
                    Arguments.of(
                            "type hint",
                            new HintKind(directory.resolve("hint" + backend)),
                            backend));
            all.add(
                    Arguments.of(
                            "Avro specific",
                            new AvroSpecificKind(directory.resolve("avro" + backend)),
                            backend));
            all.add(
                    Arguments.of(
                            "enum", new EnumKind(directory.resolve("enum" + backend)), backend));
            for (FixedKind kind : FixedKind.values()) {
                all.add(Arguments.of(kind.name(), kind, backend));
            }
        }
        return all.stream();
    }

    @ParameterizedTest(name = "{0}, {2}")
    @MethodSource("kinds")
    void whatEachVersionWroteIsReadByTheNext(String name, Kind kind, Backends backend)
            throws Exception {
        try (EvolvingJob job = new EvolvingJob()) {
            List<KeyedStateHandle> handles = List.of();
            for (int version = 1; version <= Kind.VERSIONS; version++) {
                job.with(kind.classes(version));
                job.start(backend.create(), PARALLELISM[version], handles);
                job.register(value(kind, version))
                        .register(list(kind, version))
                        .register(map(kind, version));
                check(job, kind, version - 1, version);
                write(job, kind, version);
                check(job, kind, version, version);
                handles = job.checkpoint();
            }
            job.start(backend.create(), 1, handles);
            job.register(value(kind, 3)).register(list(kind, 3)).register(map(kind, 3));
            check(job, kind, 3, 3);
            job.start(Backends.HASHMAP.create(), 2, job.savepoint());
            job.register(value(kind, 3)).register(list(kind, 3)).register(map(kind, 3));
            check(job, kind, 3, 3);
        }
    }

    /** The keys of a map stay findable when an enum gets more constants. */
    @ParameterizedTest
    @EnumSource(names = {"HOT", "COLD", "COMPACTING"})
    void userKeysOfAnEnumStayWhenConstantsAreAdded(Backends backend) throws Exception {
        EnumKind kind = new EnumKind(directory.resolve("keys" + backend));
        try (EvolvingJob job = new EvolvingJob()) {
            List<KeyedStateHandle> handles = List.of();
            for (int version = 1; version <= Kind.VERSIONS; version++) {
                job.with(kind.classes(version)).start(backend.create(), version, handles);
                MapStateDescriptor<Object, Item> map =
                        new MapStateDescriptor<>(
                                "map", kind.serializer(version), new ItemSerializer(1));
                job.register(map);
                for (int key = 0; key < KEYS; key++) {
                    MapState<Object, Item> state = job.at(key, map);
                    if (version > 1) {
                        assertThat(state.get(kind.named(version, "GREEN")).name())
                                .isEqualTo("key " + key);
                        assertThat(state.keys()).contains(kind.named(version, "GREEN"));
                    } else {
                        state.put(
                                kind.named(version, "GREEN"),
                                new Item("key " + key, Item.NO_AMOUNT, Item.NO_NOTE));
                    }
                    state.put(
                            kind.named(version, List.of("RED", "GOLD", "WHITE").get(version - 1)),
                            new Item("other", Item.NO_AMOUNT, Item.NO_NOTE));
                }
                handles = job.checkpoint();
            }
        }
    }

    /** Each version writes the values of its own keys, and a part of every list and map. */
    private static void write(EvolvingJob job, Kind kind, int version) throws Exception {
        for (int key = 0; key < KEYS; key++) {
            if (key % Kind.VERSIONS == version - 1) {
                job.at(key, value(kind, version)).update(kind.item(version, key));
            }
            job.at(key, list(kind, version)).add(kind.item(version, key));
            job.at(key, map(kind, version)).put(version, kind.item(version, key));
        }
    }

    private static void check(EvolvingJob job, Kind kind, int newest, int reader) throws Exception {
        for (int key = 0; key < KEYS; key++) {
            int writer = key % Kind.VERSIONS + 1;
            Object value = job.at(key, value(kind, reader)).value();
            assertThat(value == null ? null : kind.view(reader, value))
                    .as("value of %d by version %d", key, reader)
                    .isEqualTo(writer > newest ? null : kind.expected(writer, reader, key));
            List<String> expected = new ArrayList<>();
            for (int version = 1; version <= newest; version++) {
                expected.add(kind.expected(version, reader, key));
                Object entry = job.at(key, map(kind, reader)).get(version);
                assertThat(kind.view(reader, entry))
                        .as("map of %d by version %d", key, reader)
                        .isEqualTo(kind.expected(version, reader, key));
            }
            List<String> list = new ArrayList<>();
            Iterable<Object> found = job.at(key, list(kind, reader)).get();
            if (found != null) {
                for (Object element : found) {
                    list.add(kind.view(reader, element));
                }
            }
            assertThat(list).as("list of %d by version %d", key, reader).isEqualTo(expected);
        }
    }

    private static ValueStateDescriptor<Object> value(Kind kind, int version) throws Exception {
        return new ValueStateDescriptor<>("value", kind.serializer(version));
    }

    private static ListStateDescriptor<Object> list(Kind kind, int version) throws Exception {
        return new ListStateDescriptor<>("list", kind.serializer(version));
    }

    private static MapStateDescriptor<Integer, Object> map(Kind kind, int version)
            throws Exception {
        return new MapStateDescriptor<>("map", IntSerializer.INSTANCE, kind.serializer(version));
    }
}
