/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A hot table of lists against plain maps, with mutable elements, random epochs and evictions. */
class HotListTableModelTest {

    @Test
    void fewKeys() {
        Seeds.run(20, seed -> new Model(seed, 8).run(1500, true));
    }

    @Test
    void manyKeys() {
        Seeds.run(4, seed -> new Model(seed, 500).run(8000, false));
    }

    private static final class Model extends EpochModel<List<Integer>, HotEntry<TestKey, String>> {

        private static final int ELEMENT_BYTES = 24;

        private final HotListTable<TestKey, String, int[]> table = new HotListTable<>(clock, bytes);
        private final Set<TestKey> dirty = new HashSet<>();
        private final Set<TestKey> created = new HashSet<>();

        Model(long seed, int keys) {
            super(seed, keys);
        }

        @Override
        EpochTable<HotEntry<TestKey, String>> table() {
            return table;
        }

        @Override
        void afterStep() {}

        @Override
        void operate(TestKey key) {
            switch (random.nextInt(8)) {
                case 0 -> get(key);
                case 1 -> stream(key);
                case 2 -> put(key);
                case 3 -> delete(key);
                default -> append(key);
            }
        }

        private HotEntry<TestKey, String> find(TestKey key) {
            return table.find(key, key.namespace());
        }

        private void append(TestKey key) {
            int number = random.nextInt(1000);
            HotEntry<TestKey, String> entry = find(key);
            boolean known = !cold.containsKey(key) && random.nextBoolean();
            if (entry == null && (known || table.complete())) {
                created.add(key);
            }
            if (entry != null && random.nextBoolean()) {
                table.append(entry, new int[] {number}, ELEMENT_BYTES);
            } else {
                table.append(key, key.namespace(), new int[] {number}, ELEMENT_BYTES, known);
            }
            List<Integer> list = new ArrayList<>(truth.getOrDefault(key, List.of()));
            list.add(number);
            truth.put(key, list);
            dirty.add(key);
        }

        private void put(TestKey key) {
            boolean known = !cold.containsKey(key) && random.nextBoolean();
            if (find(key) == null && (known || table.complete())) {
                created.add(key);
            }
            List<int[]> elements = new ArrayList<>();
            for (int i = random.nextInt(6); i >= 0; i--) {
                elements.add(new int[] {random.nextInt(1000)});
            }
            int size = elements.size() * ELEMENT_BYTES;
            table.put(key, key.namespace(), elements, size, known);
            truth.put(key, numbers(elements));
            dirty.add(key);
        }

        private void delete(TestKey key) {
            HotEntry<TestKey, String> entry = find(key);
            boolean known = !cold.containsKey(key) && random.nextBoolean();
            boolean change = entry == null ? !known && !table.complete() : !entry.isTombstone();
            table.delete(key, key.namespace(), known);
            truth.remove(key);
            if (created.remove(key)) {
                dirty.remove(key);
                assertThat(find(key)).isNull();
            } else if (change) {
                dirty.add(key);
            }
        }

        /** Reads as a state does that holds the list on the heap and hands elements to the user. */
        private void get(TestKey key) {
            HotEntry<TestKey, String> entry = find(key);
            if (entry == null && cold.containsKey(key)) {
                List<int[]> stored = elements(cold.get(key));
                int size = stored.size() * ELEMENT_BYTES;
                entry = table.insertLoaded(key, key.namespace(), stored, size);
            } else if (entry != null && !entry.isTombstone() && table.list(entry).baseBelow()) {
                List<int[]> stored = elements(cold.getOrDefault(key, List.of()));
                entry = table.attachBase(entry, stored, (long) stored.size() * ELEMENT_BYTES);
            }
            if (entry == null || entry.isTombstone()) {
                assertThat(truth).doesNotContainKey(key);
                return;
            }
            entry = table.thawElements(entry, int[]::clone);
            assertThat(find(key)).isSameAs(entry);
            List<int[]> view = table.list(entry).view();
            assertThat(numbers(view)).isEqualTo(truth.get(key));
            if (Seeds.oneIn(random, 4)) {
                view.forEach(element -> element[0] ^= 1);
                checkFlushes();
                view.forEach(element -> element[0] ^= 1);
            }
        }

        /** Reads as a state does that streams what is below. */
        private void stream(TestKey key) {
            assertThat(content(key)).isEqualTo(truth.get(key));
        }

        /** Null when absent. */
        private List<Integer> content(TestKey key) {
            HotEntry<TestKey, String> entry =
                    table.lookUp(HotHash.of(key, key.namespace()), key, key.namespace());
            if (entry == null) {
                return cold.get(key);
            }
            if (entry.isTombstone()) {
                return null;
            }
            HotList<int[]> list = table.list(entry);
            List<Integer> all = new ArrayList<>();
            if (list.baseBelow()) {
                all.addAll(cold.getOrDefault(key, List.of()));
                all.addAll(numbers(list.view(table.flushedElements(entry))));
            } else {
                all.addAll(numbers(list.view()));
            }
            return all;
        }

        @Override
        void checkKey(TestKey key) {
            assertThat(content(key)).isEqualTo(truth.get(key));
            if (table.complete()
                    && table.lookUp(HotHash.of(key, key.namespace()), key, key.namespace())
                            == null) {
                assertThat(truth).doesNotContainKey(key);
            }
        }

        @Override
        void checkStructure() {
            table.checkStructure();
            HotCursor<TestKey, String> cursor = table.cursor();
            for (HotEntry<TestKey, String> e = cursor.next(); e != null; e = cursor.next()) {
                if (!e.isTombstone()) {
                    assertThat(e.sizeBytes()).isEqualTo(table.list(e).heapBytes());
                    assertThat(table.complete() && table.list(e).baseBelow()).isFalse();
                }
            }
        }

        @Override
        Map<TestKey, List<Integer>> flush(
                Iterable<HotEntry<TestKey, String>> dirtyEntries,
                Map<TestKey, List<Integer>> older) {
            Map<TestKey, List<Integer>> newer = new HashMap<>(older);
            for (HotEntry<TestKey, String> entry : dirtyEntries) {
                if (entry.isTombstone()) {
                    newer.remove(entry.key());
                    continue;
                }
                HotList<int[]> list = table.list(entry);
                List<Integer> content = new ArrayList<>();
                if (!list.replacesBelow()) {
                    content.addAll(older.getOrDefault(entry.key(), List.of()));
                }
                for (int i = list.appendFrom(); i < list.size(); i++) {
                    content.add(list.get(i)[0]);
                }
                newer.put(entry.key(), content);
            }
            return newer;
        }

        @Override
        void checkListed(DirtyEntries<HotEntry<TestKey, String>> listed) {
            Set<TestKey> listedKeys = new HashSet<>();
            for (HotEntry<TestKey, String> entry : listed) {
                assertThat(listedKeys.add(entry.key())).isTrue();
            }
            assertThat(listedKeys).isEqualTo(dirty);
            dirty.clear();
            created.clear();
        }

        private static List<Integer> numbers(List<int[]> elements) {
            return elements.stream().map(element -> element[0]).toList();
        }

        private static List<int[]> elements(List<Integer> numbers) {
            return numbers.stream().map(number -> new int[] {number}).toList();
        }
    }
}
