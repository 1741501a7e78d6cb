/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.hot.HotMap;
import io.strata.flink.hot.HotMapCursor;
import io.strata.flink.hot.HotSlot;
import io.strata.flink.hot.SlotCursor;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** The {@link HotWalk} over the maps of a table, a few entries of one map at a time. */
final class HotSlotWalk<K, N, UK, UV> implements HotWalk<K, N, Map<UK, UV>> {

    private final HotMapCursor<K, N, UK> maps;
    private final Function<HotMap<K, N, UK>, SlotCursor<K, N, UK>> slotsOf;
    private final int mostSlots;
    private HotMap<K, N, UK> map;
    private SlotCursor<K, N, UK> slots;
    private Map<UK, UV> value;

    HotSlotWalk(
            HotMapCursor<K, N, UK> maps,
            Function<HotMap<K, N, UK>, SlotCursor<K, N, UK>> slotsOf,
            int mostSlots) {
        this.maps = maps;
        this.slotsOf = slotsOf;
        this.mostSlots = mostSlots;
    }

    @Override
    public boolean next() {
        value = new LinkedHashMap<>();
        while (value.isEmpty()) {
            if (slots == null) {
                map = maps.next();
                if (map == null) {
                    return false;
                }
                slots = slotsOf.apply(map);
            }
            take();
        }
        return true;
    }

    @SuppressWarnings("unchecked")
    private void take() {
        while (value.size() < mostSlots) {
            HotSlot<K, N, UK> slot = slots.nextUnmarked();
            if (slot == null) {
                slots = null;
                return;
            }
            if (!slot.isTombstone()) {
                value.put(slot.userKey(), (UV) slot.value());
            }
        }
    }

    @Override
    public K key() {
        return map.key();
    }

    @Override
    public N namespace() {
        return map.namespace();
    }

    @Override
    public Map<UK, UV> value() {
        return value;
    }
}
