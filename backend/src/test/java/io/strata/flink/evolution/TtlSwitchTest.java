/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.evolution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A time to live that is switched on or off over restored state: values stay, and what had no time
 * before lives from the switch on, however often the job is restored then.
 */
class TtlSwitchTest {

    private static final long TTL_MILLIS = 1000;
    private static final int KEYS = 30;

    @ParameterizedTest
    @EnumSource(names = {"HOT", "COLD", "COMPACTING"})
    void valuesLiveFromTheMomentItIsSwitchedOn(Backends backend) throws Exception {
        try (EvolvingJob job = new EvolvingJob()) {
            job.clock().time = 5_000;
            fill(job, backend, false);

            job.clock().time = 20_000;
            job.start(backend.create(), 2, job.checkpoint());
            register(job, 1, true);
            check(job, 1, true, true);

            // a second restore, in which nothing need be rewritten yet
            job.clock().time = 20_900;
            job.start(backend.create(), 1, job.checkpoint());
            register(job, 1, true);
            check(job, 1, true, true);
            job.clock().time = 20_000 + TTL_MILLIS;
            check(job, 1, true, false);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"HOT", "COLD", "COMPACTING", "ROCKSDB", "HASHMAP"})
    void valuesOfASavepointLiveFromTheMomentItIsSwitchedOn(Backends writer) throws Exception {
        try (EvolvingJob job = new EvolvingJob()) {
            job.clock().time = 5_000;
            fill(job, writer, false);

            job.clock().time = 20_000;
            job.start(Backends.COLD.create(), 2, job.savepoint());
            register(job, 1, true);
            check(job, 1, true, true);
            job.clock().time = 20_000 + TTL_MILLIS;
            check(job, 1, true, false);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"HOT", "COLD", "COMPACTING"})
    void valuesStayWhenItIsSwitchedOff(Backends backend) throws Exception {
        try (EvolvingJob job = new EvolvingJob()) {
            fill(job, backend, true);

            job.start(backend.create(), 2, job.checkpoint());
            register(job, 1, false);
            job.clock().time = 1_000_000;
            check(job, 1, false, true);

            job.start(Backends.HASHMAP.create(), 1, job.savepoint());
            register(job, 1, false);
            check(job, 1, false, true);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"COLD", "ROCKSDB", "HASHMAP"})
    void valuesOfASavepointStayWhenItIsSwitchedOff(Backends writer) throws Exception {
        try (EvolvingJob job = new EvolvingJob()) {
            fill(job, writer, true);

            job.start(Backends.COLD.create(), 2, job.savepoint());
            register(job, 1, false);
            job.clock().time = 1_000_000;
            check(job, 1, false, true);
        }
    }

    /** The type changes at the same time; and off and on again counts from the second time on. */
    @ParameterizedTest
    @EnumSource(names = {"HOT", "COLD"})
    void theTypeMayChangeWithIt(Backends backend) throws Exception {
        try (EvolvingJob job = new EvolvingJob()) {
            fill(job, backend, false);

            job.clock().time = 10_000;
            job.start(backend.create(), 3, job.checkpoint());
            register(job, 2, true);
            check(job, 2, true, true);
            job.start(backend.create(), 1, job.checkpoint());
            register(job, 3, false);
            check(job, 3, false, true);
            job.clock().time = 50_000;
            job.start(backend.create(), 1, job.checkpoint());
            register(job, 4, true);
            job.clock().time = 50_000 + TTL_MILLIS - 1;
            check(job, 4, true, true);
            job.clock().time = 50_000 + TTL_MILLIS;
            check(job, 4, true, false);
        }
    }

    /** Old runs and new ones have the same serializer then, but the times of the old are void. */
    @ParameterizedTest
    @EnumSource(names = {"HOT", "COLD", "COMPACTING"})
    void offAndOnAgainCountsFromTheSecondTime(Backends backend) throws Exception {
        try (EvolvingJob job = new EvolvingJob()) {
            job.clock().time = 1_000;
            fill(job, backend, true);
            job.start(backend.create(), 2, job.checkpoint());
            register(job, 1, false);
            job.clock().time = 50_000;
            job.start(backend.create(), 1, job.checkpoint());
            register(job, 1, true);
            job.at(KEYS, value(1, true)).update(item(KEYS));
            check(job, 1, true, true);

            job.clock().time = 50_000 + TTL_MILLIS - 1;
            job.start(backend.create(), 3, job.checkpoint());
            register(job, 1, true);
            check(job, 1, true, true);
            assertThat(job.at(KEYS, value(1, true)).value()).isEqualTo(item(KEYS));
            job.clock().time = 50_000 + TTL_MILLIS;
            check(job, 1, true, false);
        }
    }

    private static void fill(EvolvingJob job, Backends backend, boolean ttl) throws Exception {
        job.start(backend.create(), 1, List.<KeyedStateHandle>of());
        for (int key = 0; key < KEYS; key++) {
            job.at(key, value(1, ttl)).update(item(key));
            job.at(key, list(1, ttl)).add(item(key));
            job.at(key, list(1, ttl)).add(item(key + 1));
            job.at(key, map(1, ttl)).put(1, item(key));
            job.at(key, map(1, ttl)).put(2, item(key + 2));
        }
    }

    private static void register(EvolvingJob job, int version, boolean ttl) throws Exception {
        job.register(value(version, ttl)).register(list(version, ttl)).register(map(version, ttl));
    }

    private static void check(EvolvingJob job, int version, boolean ttl, boolean isThere)
            throws Exception {
        for (int key = 0; key < KEYS; key++) {
            assertThat(job.at(key, value(version, ttl)).value())
                    .as("value of %d", key)
                    .isEqualTo(isThere ? item(key) : null);
            List<Item> list = new ArrayList<>();
            Iterable<Item> found = job.at(key, list(version, ttl)).get();
            if (found != null) {
                found.forEach(list::add);
            }
            assertThat(list)
                    .as("list of %d", key)
                    .isEqualTo(isThere ? List.of(item(key), item(key + 1)) : List.of());
            Map<Integer, Item> map = new HashMap<>();
            job.at(key, map(version, ttl))
                    .entries()
                    .forEach(entry -> map.put(entry.getKey(), entry.getValue()));
            assertThat(map)
                    .as("map of %d", key)
                    .isEqualTo(isThere ? Map.of(1, item(key), 2, item(key + 2)) : Map.of());
        }
    }

    private static Item item(int number) {
        return new Item("name " + number, Item.NO_AMOUNT, Item.NO_NOTE);
    }

    private static ValueStateDescriptor<Item> value(int version, boolean ttl) {
        return with(ttl, new ValueStateDescriptor<>("value", new ItemSerializer(version)));
    }

    private static ListStateDescriptor<Item> list(int version, boolean ttl) {
        return with(ttl, new ListStateDescriptor<>("list", new ItemSerializer(version)));
    }

    private static MapStateDescriptor<Integer, Item> map(int version, boolean ttl) {
        return with(
                ttl,
                new MapStateDescriptor<>(
                        "map", IntSerializer.INSTANCE, new ItemSerializer(version)));
    }

    private static <D extends StateDescriptor<?, ?>> D with(boolean ttl, D descriptor) {
        if (ttl) {
            descriptor.enableTimeToLive(
                    StateTtlConfig.newBuilder(Duration.ofMillis(TTL_MILLIS)).build());
        }
        return descriptor;
    }
}
