/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A hot table of maps against plain maps, with mutable values, random epochs and evictions. */
class HotMapTableModelTest {

    @Test
    void fewSmallMaps() {
        Seeds.run(20, seed -> new Model(seed, 4, 6).run(1500, true));
    }

    @Test
    void largeMaps() {
        Seeds.run(4, seed -> new Model(seed, 2, 400).run(6000, false));
    }

    @Test
    void manyMaps() {
        Seeds.run(4, seed -> new Model(seed, 400, 4).run(8000, false));
    }

    private static final class Model
            extends EpochModel<Map<Integer, Integer>, HotSlot<TestKey, String, Integer>> {

        /** Unlike Map.of() it can be asked for null. */
        private static final Map<Integer, Integer> NOTHING = Collections.emptyMap();

        private final int userKeys;
        private final HotMapTable<TestKey, String, Integer> table =
                new HotMapTable<>(
                        clock,
                        bytes,
                        new HotTableOptions<>(20, key -> new TestKey(key.id())),
                        new HotTableOptions<>(16, userKey -> userKey));

        /** Pairs of key and user key that the current epoch has to list. */
        private final Set<Map.Entry<TestKey, Integer>> dirty = new HashSet<>();

        private final Set<Map.Entry<TestKey, Integer>> created = new HashSet<>();

        Model(long seed, int keys, int userKeys) {
            super(seed, keys);
            this.userKeys = userKeys;
        }

        @Override
        EpochTable<HotSlot<TestKey, String, Integer>> table() {
            return table;
        }

        @Override
        void afterStep() {}

        @Override
        void operate(TestKey key) {
            Integer userKey = Seeds.oneIn(random, 10) ? null : random.nextInt(userKeys);
            switch (random.nextInt(16)) {
                case 0, 1, 2, 3 -> get(key, userKey);
                case 4 -> load(key);
                case 5 -> iterate(key);
                case 6 -> clear(key);
                case 7, 8, 9 -> remove(key, userKey);
                default -> put(key, userKey);
            }
        }

        private HotMap<TestKey, String, Integer> find(TestKey key) {
            return table.find(key, key.namespace());
        }

        private HotMap<TestKey, String, Integer> findOrCreate(TestKey key) {
            boolean known = coldMap(key).isEmpty() && random.nextBoolean();
            return table.findOrCreate(key, key.namespace(), known);
        }

        private Map<Integer, Integer> coldMap(TestKey key) {
            return cold.getOrDefault(key, NOTHING);
        }

        private Map<Integer, Integer> truthMap(TestKey key) {
            return truth.getOrDefault(key, NOTHING);
        }

        private void get(TestKey key, Integer userKey) {
            HotMap<TestKey, String, Integer> map = find(key);
            HotSlot<TestKey, String, Integer> slot = map == null ? null : table.find(map, userKey);
            if (slot == null && coldMap(key).containsKey(userKey)) {
                map = findOrCreate(key);
                assertThat(map.isComplete()).isFalse();
                slot = table.insertClean(map, userKey, value(coldMap(key).get(userKey)), size());
            }
            if (slot == null || slot.isTombstone()) {
                assertThat(truthMap(key)).doesNotContainKey(userKey);
                return;
            }
            slot = table.thaw(slot, value -> ((int[]) value).clone());
            int[] value = (int[]) slot.value();
            assertThat(value[0]).isEqualTo(truthMap(key).get(userKey));
            value[0]++;
            if (Seeds.oneIn(random, 4)) {
                checkFlushes();
            }
            slot = table.update(slot, value, size());
            assertThat(table.find(slot.map(), userKey)).isSameAs(slot);
            changed(key, userKey, value[0]);
        }

        private void put(TestKey key, Integer userKey) {
            HotMap<TestKey, String, Integer> map = findOrCreate(key);
            boolean known = !coldMap(key).containsKey(userKey) && random.nextBoolean();
            boolean absent = known || map.isComplete() || table.complete();
            if (absent && table.find(map, userKey) == null) {
                created.add(pair(key, userKey));
            }
            int number = random.nextInt(1000);
            table.write(map, userKey, value(number), size(), known);
            changed(key, userKey, number);
        }

        private void changed(TestKey key, Integer userKey, int number) {
            Map<Integer, Integer> changed = new HashMap<>(truthMap(key));
            changed.put(userKey, number);
            truth.put(key, changed);
            dirty.add(pair(key, userKey));
        }

        private void remove(TestKey key, Integer userKey) {
            boolean known = !coldMap(key).containsKey(userKey) && random.nextBoolean();
            HotMap<TestKey, String, Integer> map = findOrCreate(key);
            HotSlot<TestKey, String, Integer> slot = table.find(map, userKey);
            boolean nothing =
                    slot == null
                            ? known || map.isComplete() || table.complete()
                            : slot.isTombstone();
            table.delete(map, userKey, known);
            removed(key, userKey, !nothing);
        }

        private void removed(TestKey key, Integer userKey, boolean change) {
            Map<Integer, Integer> changed = new HashMap<>(truthMap(key));
            changed.remove(userKey);
            truth.put(key, changed);
            if (changed.isEmpty()) {
                truth.remove(key);
            }
            if (created.remove(pair(key, userKey))) {
                dirty.remove(pair(key, userKey));
            } else if (change) {
                dirty.add(pair(key, userKey));
            }
        }

        /** Loads all that is below, as a state does that wants the whole map. */
        private void load(TestKey key) {
            if (coldMap(key).isEmpty()) {
                return;
            }
            HotMap<TestKey, String, Integer> map = findOrCreate(key);
            if (map.isComplete()) {
                return;
            }
            coldMap(key)
                    .forEach(
                            (userKey, number) -> {
                                if (table.find(map, userKey) == null) {
                                    table.insertClean(map, userKey, value(number), size());
                                }
                            });
            table.markComplete(map);
        }

        /** Walks over the slots of a map while all kinds of things happen to it. */
        private void iterate(TestKey key) {
            HotMap<TestKey, String, Integer> map = find(key);
            if (map == null) {
                return;
            }
            Set<Integer> before = present(map);
            Set<Integer> untouched = new HashSet<>(before);
            Set<Integer> seen = new HashSet<>();
            SlotCursor<TestKey, String, Integer> cursor = table.slots(map);
            for (var slot = cursor.next(); slot != null; slot = cursor.next()) {
                assertThat(seen.add(slot.userKey())).isTrue();
                assertThat(find(key).find(slot.userKey(), slot.hash)).isSameAs(slot);
                if (random.nextBoolean() && !slot.isTombstone()) {
                    table.delete(slot);
                    removed(key, slot.userKey(), true);
                }
                if (random.nextBoolean()) {
                    put(key, random.nextInt(userKeys));
                }
                if (Seeds.oneIn(random, 8)) {
                    table.evict(random.nextInt(500));
                }
                HotMap<TestKey, String, Integer> now = find(key);
                untouched.retainAll(now == null ? new HashSet<>() : present(now));
            }
            assertThat(seen).containsAll(untouched);
        }

        private Set<Integer> present(HotMap<TestKey, String, Integer> map) {
            Set<Integer> present = new HashSet<>();
            SlotCursor<TestKey, String, Integer> cursor = table.slots(map);
            for (var slot = cursor.next(); slot != null; slot = cursor.next()) {
                present.add(slot.userKey());
            }
            return present;
        }

        private void clear(TestKey key) {
            Set<Integer> before = new HashSet<>(truthMap(key).keySet());
            before.addAll(coldMap(key).keySet());
            for (Integer userKey : before) {
                HotMap<TestKey, String, Integer> map = findOrCreate(key);
                HotSlot<TestKey, String, Integer> slot = table.find(map, userKey);
                boolean here = slot != null && !slot.isTombstone();
                boolean below = slot == null && !map.isComplete() && !table.complete();
                if (below) {
                    table.delete(map, userKey, false);
                }
                removed(key, userKey, here || below);
            }
            HotMap<TestKey, String, Integer> map = find(key);
            if (map != null) {
                table.deleteAll(map);
            }
            map = find(key);
            assertThat(map == null || map.liveSlots() == 0).isTrue();
        }

        @Override
        void checkKey(TestKey key) {
            HotMap<TestKey, String, Integer> map = find(key);
            Map<Integer, Integer> content = new HashMap<>(coldMap(key));
            Map<Integer, Integer> here = new HashMap<>();
            if (map != null) {
                SlotCursor<TestKey, String, Integer> cursor = table.slots(map);
                for (var slot = cursor.next(); slot != null; slot = cursor.next()) {
                    content.remove(slot.userKey());
                    if (!slot.isTombstone()) {
                        here.put(slot.userKey(), ((int[]) slot.value())[0]);
                    }
                }
            }
            if (table.complete() || (map != null && map.isComplete())) {
                assertThat(here).isEqualTo(truthMap(key));
            }
            assertThat(map == null ? 0 : map.liveSlots()).isEqualTo(here.size());
            content.putAll(here);
            assertThat(content).isEqualTo(truthMap(key));
        }

        @Override
        void checkStructure() {
            table.checkStructure();
        }

        @Override
        Map<TestKey, Map<Integer, Integer>> flush(
                Iterable<HotSlot<TestKey, String, Integer>> dirtySlots,
                Map<TestKey, Map<Integer, Integer>> older) {
            Map<TestKey, Map<Integer, Integer>> newer = new HashMap<>();
            older.forEach((key, map) -> newer.put(key, new HashMap<>(map)));
            for (HotSlot<TestKey, String, Integer> slot : dirtySlots) {
                Map<Integer, Integer> map = newer.computeIfAbsent(slot.key(), k -> new HashMap<>());
                if (slot.isTombstone()) {
                    map.remove(slot.userKey());
                } else {
                    map.put(slot.userKey(), ((int[]) slot.value())[0]);
                }
            }
            newer.values().removeIf(Map::isEmpty);
            return newer;
        }

        @Override
        void checkListed(DirtyEntries<HotSlot<TestKey, String, Integer>> listed) {
            Set<Map.Entry<TestKey, Integer>> pairs = new HashSet<>();
            for (HotSlot<TestKey, String, Integer> slot : listed) {
                assertThat(pairs.add(pair(slot.key(), slot.userKey()))).isTrue();
            }
            assertThat(pairs).isEqualTo(dirty);
            dirty.clear();
            created.clear();
        }

        private static Map.Entry<TestKey, Integer> pair(TestKey key, Integer userKey) {
            return new SimpleImmutableEntry<>(key, userKey);
        }

        private static int[] value(int number) {
            return new int[] {number};
        }

        private int size() {
            return random.nextInt(200);
        }
    }
}
