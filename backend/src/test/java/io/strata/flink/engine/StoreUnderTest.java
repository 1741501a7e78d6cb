/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.engine.StoreModel.Pair;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.hot.HeapBudget;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.io.StorageDirectory;
import io.strata.flink.pagecache.PageMemory;
import io.strata.flink.pagecache.SlabAllocator;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;

/** A store with one table of each kind, over some key groups, and how to restore one. */
final class StoreUnderTest {

    /** What differs between the regimes in which the same operations run. */
    record Regime(long hotBytes, long pageBytes, StoreTuning tuning) {}

    final StorageDirectory directory;
    final KeyGroupSpan keyGroups;
    final TieredStore store;
    final ValueTable<Long, Integer, long[]> values;
    final ListTable<Long, Integer, Long> lists;
    final MapTable<Long, Integer, Integer, long[]> maps;

    StoreUnderTest(
            Path root,
            KeyGroupSpan keyGroups,
            Regime regime,
            ExecutorService executor,
            List<Handle> handles)
            throws IOException {
        this(LocalStorageDirectory.create(root), keyGroups, regime, executor, handles);
    }

    StoreUnderTest(
            StorageDirectory directory,
            KeyGroupSpan keyGroups,
            Regime regime,
            ExecutorService executor,
            List<Handle> handles)
            throws IOException {
        this.directory = directory;
        this.keyGroups = keyGroups;
        PageMemory memory = new PageMemory(regime.pageBytes(), SlabAllocator.directBuffers());
        this.store =
                new TieredStore(
                        new StoreConfig(
                                directory,
                                memory.newCache(256),
                                new HeapBudget(regime.hotBytes()).lease(),
                                executor,
                                executor,
                                new SegmentOptions(256, 10),
                                keyGroups,
                                regime.tuning()));
        store.restore(openAll(handles));
        this.values = store.valueTable("values", new TestCodecs.Keys(), new TestCodecs.Cells());
        this.lists = store.listTable("lists", new TestCodecs.Keys(), new TestCodecs.Elements());
        this.maps = store.mapTable("maps", new TestCodecs.Keys(), new TestCodecs.Cells());
    }

    /** A finished snapshot whose files were copied away. */
    record Handle(StoreManifest manifest, Path files, KeyGroupSpan keyGroups) {}

    Handle persist(StoreSnapshot snapshot, Path target) throws Exception {
        try (snapshot) {
            StoreVersion version = snapshot.await();
            Files.createDirectories(target);
            for (Segment segment : version.segments()) {
                String name = segment.id().fileName();
                Files.copy(directory.path(name), target.resolve(name));
            }
            return new Handle(version.manifest(), target, keyGroups);
        }
    }

    private List<RestoredRuns> openAll(List<Handle> handles) throws IOException {
        List<RestoredRuns> restored = new ArrayList<>();
        Map<String, Segment> opened = new HashMap<>();
        for (Handle handle : handles) {
            KeyGroupSpan owned = handle.keyGroups().intersection(keyGroups);
            if (owned == null) {
                continue;
            }
            List<Segment> segments = new ArrayList<>();
            for (StoreManifest.SegmentEntry entry : handle.manifest().segments()) {
                String name = entry.id().fileName();
                Segment segment = opened.get(name);
                if (segment == null) {
                    Files.copy(handle.files().resolve(name), directory.path(name));
                    segment = Segment.open(directory, entry.id(), keyGroups);
                    opened.put(name, segment);
                } else {
                    segment.retain();
                }
                segments.add(segment);
            }
            restored.add(new RestoredRuns(handle.manifest(), segments, owned));
        }
        return restored;
    }

    boolean owns(long key) {
        return keyGroups.contains(TestCodecs.keyGroupOf(key));
    }

    /** Compares everything, by walks over all keys and by single reads. */
    void check(StoreModel model) throws IOException {
        Set<Pair> expectedValues = owned(model.values.keySet());
        assertThat(walk(values.cursor())).isEqualTo(expectedValues);
        assertThat(values.countEntries()).isEqualTo(expectedValues.size());
        for (Pair pair : expectedValues) {
            long[] value = values.get(pair.key(), pair.namespace());
            assertThat(value).as("value of %s", pair).containsExactly(model.values.get(pair));
        }
        Set<Pair> expectedLists = owned(model.lists.keySet());
        assertThat(walk(lists.cursor())).isEqualTo(expectedLists);
        for (Pair pair : expectedLists) {
            assertThat(lists.get(pair.key(), pair.namespace()))
                    .as("list of %s", pair)
                    .containsExactlyElementsOf(model.lists.get(pair));
        }
        Set<Pair> expectedMaps = owned(model.maps.keySet());
        assertThat(walk(maps.cursor())).isEqualTo(expectedMaps);
        for (Pair pair : expectedMaps) {
            assertThat(entries(pair)).as("map of %s", pair).isEqualTo(model.maps.get(pair));
        }
        StoreInvariants.check(store);
    }

    private Set<Pair> owned(Set<Pair> pairs) {
        Set<Pair> owned = new HashSet<>();
        pairs.stream().filter(pair -> owns(pair.key())).forEach(owned::add);
        return owned;
    }

    private static Set<Pair> walk(EntryCursor<Long, Integer> cursor) throws IOException {
        Set<Pair> pairs = new HashSet<>();
        while (cursor.next()) {
            Pair pair = new Pair(cursor.key(), cursor.namespace());
            assertThat(pairs.add(pair)).as("%s is met once", pair).isTrue();
        }
        return pairs;
    }

    Map<Integer, Long> entries(Pair pair) throws IOException {
        Map<Integer, Long> entries = new HashMap<>();
        Iterator<Map.Entry<Integer, long[]>> iterator = maps.iterator(pair.key(), pair.namespace());
        while (iterator.hasNext()) {
            Map.Entry<Integer, long[]> entry = iterator.next();
            Long value = entry.getValue() == null ? null : entry.getValue()[0];
            assertThat(entries.containsKey(entry.getKey())).as("met once").isFalse();
            entries.put(entry.getKey(), value);
        }
        return entries;
    }

    void close() throws IOException {
        store.close();
        assertThat(directory.list()).as("files left").isEmpty();
        directory.close();
    }
}
