/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.engine.StoreModel.Pair;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Random operations, done on a store and on its model; reads are compared at once. */
final class StoreOperations {

    private final Random random;
    private final int keys;

    StoreOperations(Random random, int keys) {
        this.random = random;
        this.keys = keys;
    }

    void one(StoreUnderTest store, StoreModel model) throws IOException {
        long key = random.nextInt(keys);
        if (!store.owns(key)) {
            return;
        }
        store.store.recordBoundary();
        Pair pair = new Pair(key, random.nextInt(3));
        switch (random.nextInt(3)) {
            case 0 -> onValue(store, model, pair);
            case 1 -> onList(store, model, pair);
            default -> onMap(store, model, pair);
        }
    }

    private void onValue(StoreUnderTest store, StoreModel model, Pair pair) throws IOException {
        long fresh = random.nextLong();
        switch (random.nextInt(6)) {
            case 0, 1 -> {
                long[] value = store.values.get(pair.key(), pair.namespace());
                Long expected = model.values.get(pair);
                assertThat(value == null ? null : value[0]).isEqualTo(expected);
            }
            case 2 -> {
                long[] value = store.values.get(pair.key(), pair.namespace());
                if (value != null) {
                    value[0] = fresh;
                    store.values.put(pair.key(), pair.namespace(), value);
                    model.values.put(pair, fresh);
                }
            }
            case 3 -> {
                store.values.remove(pair.key(), pair.namespace());
                model.values.remove(pair);
            }
            default -> {
                store.values.put(pair.key(), pair.namespace(), new long[] {fresh});
                model.values.put(pair, fresh);
            }
        }
    }

    private void onList(StoreUnderTest store, StoreModel model, Pair pair) throws IOException {
        long fresh = random.nextLong();
        switch (random.nextInt(8)) {
            case 0 -> {
                Iterable<Long> list = store.lists.get(pair.key(), pair.namespace());
                List<Long> expected = model.lists.get(pair);
                if (expected == null) {
                    assertThat(list).isNull();
                } else {
                    assertThat(list).containsExactlyElementsOf(expected);
                }
            }
            case 1 -> {
                store.lists.remove(pair.key(), pair.namespace());
                model.lists.remove(pair);
            }
            case 2 -> {
                List<Long> list = List.of(fresh, fresh + 1);
                store.lists.put(pair.key(), pair.namespace(), list);
                model.lists.put(pair, new ArrayList<>(list));
            }
            case 3 -> {
                List<Long> list = List.of(fresh, fresh + 1, fresh + 2);
                store.lists.addAll(pair.key(), pair.namespace(), list);
                model.lists.computeIfAbsent(pair, p -> new ArrayList<>()).addAll(list);
            }
            default -> {
                store.lists.add(pair.key(), pair.namespace(), fresh);
                model.lists.computeIfAbsent(pair, p -> new ArrayList<>()).add(fresh);
            }
        }
    }

    private void onMap(StoreUnderTest store, StoreModel model, Pair pair) throws IOException {
        int userKey = random.nextInt(random.nextBoolean() ? 4 : 40);
        Long fresh = random.nextInt(8) == 0 ? null : random.nextLong();
        Map<Integer, Long> expected = model.maps.getOrDefault(pair, Map.of());
        switch (random.nextInt(10)) {
            case 0 -> {
                long[] value = store.maps.get(pair.key(), pair.namespace(), userKey);
                assertThat(value == null ? null : value[0]).isEqualTo(expected.get(userKey));
            }
            case 1 ->
                    assertThat(store.maps.contains(pair.key(), pair.namespace(), userKey))
                            .isEqualTo(expected.containsKey(userKey));
            case 2 ->
                    assertThat(store.maps.isEmpty(pair.key(), pair.namespace()))
                            .isEqualTo(expected.isEmpty());
            case 3 -> assertThat(store.entries(pair)).isEqualTo(new HashMap<>(expected));
            case 4 -> {
                store.maps.remove(pair.key(), pair.namespace(), userKey);
                removeFromModel(model, pair, userKey);
            }
            case 5 -> iterateAndChange(store, model, pair);
            case 6 -> {
                if (random.nextInt(4) == 0) {
                    store.maps.remove(pair.key(), pair.namespace());
                    model.maps.remove(pair);
                }
            }
            default -> {
                long[] value = fresh == null ? null : new long[] {fresh};
                store.maps.put(pair.key(), pair.namespace(), userKey, value);
                model.maps.computeIfAbsent(pair, p -> new HashMap<>()).put(userKey, fresh);
            }
        }
    }

    /** Removes and sets through the iterator, and does other things in between. */
    private void iterateAndChange(StoreUnderTest store, StoreModel model, Pair pair)
            throws IOException {
        Map<Integer, Long> left = new HashMap<>(model.maps.getOrDefault(pair, Map.of()));
        Iterator<Map.Entry<Integer, long[]>> iterator =
                store.maps.iterator(pair.key(), pair.namespace());
        while (iterator.hasNext()) {
            Map.Entry<Integer, long[]> entry = iterator.next();
            assertThat(left.containsKey(entry.getKey())).as("an entry not met yet").isTrue();
            Long value = left.remove(entry.getKey());
            assertThat(entry.getValue() == null ? null : entry.getValue()[0]).isEqualTo(value);
            switch (random.nextInt(4)) {
                case 0 -> {
                    iterator.remove();
                    removeFromModel(model, pair, entry.getKey());
                }
                case 1 -> {
                    long fresh = random.nextLong();
                    entry.setValue(new long[] {fresh});
                    model.maps.get(pair).put(entry.getKey(), fresh);
                }
                default -> onValue(store, model, new Pair(pair.key(), random.nextInt(3)));
            }
        }
        assertThat(left).as("entries that were not met").isEmpty();
    }

    private static void removeFromModel(StoreModel model, Pair pair, int userKey) {
        Map<Integer, Long> map = model.maps.get(pair);
        if (map != null) {
            map.remove(userKey);
            if (map.isEmpty()) {
                model.maps.remove(pair);
            }
        }
    }
}
