/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.evolution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;

/**
 * A value, a list and a map of items in a job, and what they must hold: every item with the version
 * of the job that wrote it.
 */
final class ItemStates {

    private final EvolvingJob job;
    private final Map<Integer, Written> values = new TreeMap<>();
    private final Map<Integer, List<Written>> lists = new TreeMap<>();
    private final Map<Integer, Map<Integer, Written>> maps = new TreeMap<>();
    private int version = 1;

    /** An item and the version of the job that wrote it. */
    private record Written(Item item, int version) {
        Item readBy(int reader) {
            return item.through(version, reader);
        }
    }

    ItemStates(EvolvingJob job) {
        this.job = job;
    }

    int version() {
        return version;
    }

    /** Goes on as another version of the job, and registers all states as that. */
    void upgradeTo(int newVersion) throws Exception {
        version = newVersion;
        job.register(value()).register(list()).register(map());
    }

    ValueStateDescriptor<Item> value() {
        return new ValueStateDescriptor<>("value", new ItemSerializer(version));
    }

    ListStateDescriptor<Item> list() {
        return new ListStateDescriptor<>("list", new ItemSerializer(version));
    }

    MapStateDescriptor<Integer, Item> map() {
        return new MapStateDescriptor<>("map", IntSerializer.INSTANCE, new ItemSerializer(version));
    }

    /** Returns an item as the present version has it. */
    private Item item(int number) {
        return new Item("name " + number, number, "note " + number).through(version, version);
    }

    void put(int key, int number) throws Exception {
        values.put(key, new Written(item(number), version));
        job.at(key, value()).update(item(number));
    }

    void clear(int key) throws Exception {
        values.remove(key);
        lists.remove(key);
        job.at(key, value()).clear();
        job.at(key, list()).clear();
    }

    void append(int key, int number) throws Exception {
        lists.computeIfAbsent(key, k -> new ArrayList<>()).add(new Written(item(number), version));
        job.at(key, list()).add(item(number));
    }

    void putEntry(int key, int userKey, int number) throws Exception {
        maps.computeIfAbsent(key, k -> new TreeMap<>())
                .put(userKey, new Written(item(number), version));
        job.at(key, map()).put(userKey, item(number));
    }

    void removeEntry(int key, int userKey) throws Exception {
        maps.getOrDefault(key, new HashMap<>()).remove(userKey);
        job.at(key, map()).remove(userKey);
    }

    /** Compares one key with what it must hold. */
    void check(int key) throws Exception {
        Written value = values.get(key);
        assertThat(job.at(key, value()).value())
                .as("value of %d", key)
                .isEqualTo(value == null ? null : value.readBy(version));
        List<Written> list = lists.getOrDefault(key, List.of());
        Iterable<Item> found = job.at(key, list()).get();
        assertThat(found == null ? List.of() : found)
                .as("list of %d", key)
                .map(Item.class::cast)
                .containsExactlyElementsOf(list.stream().map(w -> w.readBy(version)).toList());
        checkMap(key);
    }

    private void checkMap(int key) throws Exception {
        Map<Integer, Item> expected = new HashMap<>();
        maps.getOrDefault(key, Map.of()).forEach((k, w) -> expected.put(k, w.readBy(version)));
        MapState<Integer, Item> map = job.at(key, map());
        for (Map.Entry<Integer, Item> entry : expected.entrySet()) {
            assertThat(map.get(entry.getKey())).as("map of %d", key).isEqualTo(entry.getValue());
        }
        Map<Integer, Item> found = new HashMap<>();
        map.entries().forEach(entry -> found.put(entry.getKey(), entry.getValue()));
        assertThat(found).as("map of %d", key).isEqualTo(expected);
    }

    void checkAll(int keys) throws Exception {
        for (int key = 0; key < keys; key++) {
            check(key);
        }
    }
}
