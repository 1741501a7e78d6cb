/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A hot table against plain maps, with mutable values, random epochs and evictions. */
class HotTableModelTest {

    @Test
    void fewKeys() {
        Seeds.run(20, seed -> new Model(seed, 24).run(1500, true));
    }

    @Test
    void manyKeys() {
        Seeds.run(4, seed -> new Model(seed, 1500).run(12_000, false));
    }

    private static final class Model extends EpochModel<Integer, HotEntry<TestKey, String>> {

        private final HotTable<TestKey, String> table =
                new HotTable<>(clock, bytes, new HotTableOptions<>(20, k -> new TestKey(k.id())));

        /** The keys that the current epoch has to list. */
        private final Set<TestKey> dirty = new HashSet<>();

        /** Of those, the ones created in this epoch over nothing. */
        private final Set<TestKey> created = new HashSet<>();

        private HotCursor<TestKey, String> cursor;
        private final Set<TestKey> seen = new HashSet<>();
        private final Set<TestKey> mustSee = new HashSet<>();

        Model(long seed, int keys) {
            super(seed, keys);
        }

        @Override
        EpochTable<HotEntry<TestKey, String>> table() {
            return table;
        }

        @Override
        void operate(TestKey key) {
            int choice = random.nextInt(12);
            if (choice < 3) {
                get(key, false);
            } else if (choice < 6) {
                get(key, true);
            } else if (choice < 9) {
                put(key, random.nextInt());
            } else if (choice < 11) {
                delete(key);
            } else {
                moveCursor();
            }
        }

        private void get(TestKey key, boolean mutate) {
            HotEntry<TestKey, String> entry = findOrLoad(key);
            if (entry == null || entry.isTombstone()) {
                assertThat(truth).doesNotContainKey(key);
                return;
            }
            entry = table.thaw(entry, Model::copy);
            int[] value = (int[]) entry.value();
            assertThat(value[0]).isEqualTo(truth.get(key));
            assertThat(table.find(key, key.namespace())).isSameAs(entry);
            if (mutate) {
                value[0]++;
                entry = table.update(entry, value, size());
                assertThat(entry.value()).isSameAs(value);
                changed(key, value[0]);
            } else {
                mutateForAMoment(value);
            }
        }

        /** What the task does to a thawed value must not reach a flush in flight (I7). */
        private void mutateForAMoment(int[] value) {
            if (Seeds.oneIn(random, 8)) {
                value[0] ^= 1;
                checkFlushes();
                value[0] ^= 1;
            }
        }

        private HotEntry<TestKey, String> findOrLoad(TestKey key) {
            HotEntry<TestKey, String> entry = table.find(key, key.namespace());
            if (entry == null && cold.containsKey(key)) {
                int[] loaded = {cold.get(key)};
                return table.insertClean(key, key.namespace(), loaded, size());
            }
            return entry;
        }

        private void put(TestKey key, int number) {
            boolean here = table.find(key, key.namespace()) != null;
            boolean known = !cold.containsKey(key) && random.nextBoolean();
            if (!here && (known || table.complete())) {
                created.add(key);
            }
            table.write(key, key.namespace(), new int[] {number}, size(), known);
            changed(key, number);
        }

        private void changed(TestKey key, int number) {
            truth.put(key, number);
            dirty.add(key);
        }

        private void delete(TestKey key) {
            HotEntry<TestKey, String> entry = table.find(key, key.namespace());
            boolean wasTombstone = entry != null && entry.isTombstone();
            boolean known = !cold.containsKey(key) && random.nextBoolean();
            boolean nothing = entry == null && (known || table.complete());
            if (entry != null && random.nextBoolean()) {
                table.delete(entry);
            } else {
                table.delete(key, key.namespace(), known);
            }
            truth.remove(key);
            if (created.remove(key)) {
                dirty.remove(key);
                assertThat(table.find(key, key.namespace())).isNull();
            } else if (!nothing && !wasTombstone) {
                dirty.add(key);
            }
        }

        /** Takes a few steps of a walk that lives on through all kinds of changes. */
        private void moveCursor() {
            if (cursor == null) {
                cursor = table.cursor();
                seen.clear();
                mustSee.clear();
                forEachEntry(mustSee::add);
                return;
            }
            for (int i = random.nextInt(keys); i > 0; i--) {
                HotEntry<TestKey, String> entry = cursor.next();
                if (entry == null) {
                    assertThat(seen).containsAll(mustSee);
                    cursor = null;
                    return;
                }
                assertThat(table.find(entry.key(), entry.namespace())).isSameAs(entry);
                assertThat(seen.add(entry.key())).isTrue();
            }
        }

        /** A walk may miss a key that was away for a moment. */
        @Override
        void afterStep() {
            if (cursor != null) {
                Set<TestKey> present = new HashSet<>();
                forEachEntry(present::add);
                mustSee.removeIf(key -> !seen.contains(key) && !present.contains(key));
            }
        }

        private void forEachEntry(Consumer<TestKey> action) {
            HotCursor<TestKey, String> all = table.cursor();
            for (HotEntry<TestKey, String> e = all.next(); e != null; e = all.next()) {
                action.accept(e.key());
            }
        }

        @Override
        void checkListed(DirtyEntries<HotEntry<TestKey, String>> listed) {
            Set<TestKey> listedKeys = new HashSet<>();
            for (HotEntry<TestKey, String> entry : listed) {
                assertThat(listedKeys.add(entry.key())).isTrue();
            }
            assertThat(listedKeys).isEqualTo(dirty);
            assertThat(listed.size()).isEqualTo(dirty.size());
            assertThat(listed.isEmpty()).isEqualTo(dirty.isEmpty());
            dirty.clear();
            created.clear();
        }

        @Override
        Map<TestKey, Integer> flush(
                Iterable<HotEntry<TestKey, String>> dirtyEntries, Map<TestKey, Integer> older) {
            Map<TestKey, Integer> newer = new HashMap<>(older);
            for (HotEntry<TestKey, String> entry : dirtyEntries) {
                if (entry.isTombstone()) {
                    newer.remove(entry.key());
                } else {
                    newer.put(entry.key(), ((int[]) entry.value())[0]);
                }
            }
            return newer;
        }

        @Override
        void checkKey(TestKey key) {
            HotEntry<TestKey, String> entry =
                    table.lookUp(HotHash.of(key, key.namespace()), key, key.namespace());
            if (entry == null) {
                assertThat(cold.get(key)).isEqualTo(truth.get(key));
                assertThat(table.complete() && truth.containsKey(key)).isFalse();
            } else if (entry.isTombstone()) {
                assertThat(truth).doesNotContainKey(key);
            } else {
                assertThat(((int[]) entry.value())[0]).isEqualTo(truth.get(key));
            }
        }

        @Override
        void checkStructure() {
            table.checkStructure();
            long live = 0;
            HotCursor<TestKey, String> all = table.cursor();
            for (HotEntry<TestKey, String> e = all.next(); e != null; e = all.next()) {
                live += e.isTombstone() ? 0 : 1;
            }
            assertThat(table.liveEntries()).isEqualTo(live);
        }

        private int size() {
            return random.nextInt(200);
        }

        private static Object copy(Object value) {
            return ((int[]) value).clone();
        }
    }
}
