/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a store should hold: plain maps. */
final class StoreModel {

    record Pair(long key, int namespace) {}

    final Map<Pair, Long> values = new HashMap<>();
    final Map<Pair, List<Long>> lists = new HashMap<>();
    final Map<Pair, Map<Integer, Long>> maps = new HashMap<>();

    StoreModel copy() {
        StoreModel copy = new StoreModel();
        copy.values.putAll(values);
        lists.forEach((pair, list) -> copy.lists.put(pair, new ArrayList<>(list)));
        maps.forEach((pair, map) -> copy.maps.put(pair, new HashMap<>(map)));
        return copy;
    }
}
