/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.compaction.ModelRuns.Content;
import io.strata.flink.compaction.ModelRuns.Key;
import io.strata.flink.compaction.ModelRuns.ModelRun;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.io.FaultInjectingDirectory;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.pagecache.PageCache;
import io.strata.flink.pagecache.PageMemory;
import io.strata.flink.pagecache.SlabAllocator;
import io.strata.flink.segment.RunView;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentMemory;
import io.strata.flink.segment.StreamingPageSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random runs, read together and merged in random steps, say what a sorted map says they do (I5).
 *
 * <p>{@code -Dstrata.seed=N} replays one seed.
 */
class MergeModelTest {

    private static final int SEEDS = 150;

    @TempDir Path temp;

    @Test
    void mergesSayWhatTheirRunsSaid() throws IOException {
        Long only = Long.getLong("strata.seed");
        long first = only == null ? 0 : only;
        for (long seed = first; seed < (only == null ? SEEDS : first + 1); seed++) {
            try (FaultInjectingDirectory dir =
                    new FaultInjectingDirectory(
                            LocalStorageDirectory.create(temp.resolve("seed-" + seed)))) {
                new Case(dir, new Random(seed)).play();
                assertThat(dir.list()).isEmpty();
                dir.requireNoOpenHandles();
            } catch (Exception | AssertionError e) {
                throw new AssertionError("replay with -Dstrata.seed=" + seed, e);
            }
        }
    }

    /** A few runs, scanned, sought in, and merged until one or none is left. */
    private static final class Case {

        private final Random random;
        private final ModelRuns runs;
        private final Compactor compactor;

        Case(FaultInjectingDirectory dir, Random random) throws IOException {
            this.random = random;
            this.runs = new ModelRuns(dir, random, 1 + random.nextInt(6), 1 + random.nextInt(150));
            this.compactor =
                    new Compactor(dir, runs.options(), ModelRuns.DELIMITER, SegmentMemory.HEAP);
        }

        void play() throws IOException {
            TreeMap<Key, Content> living = ModelRuns.atBottom(ModelRuns.merged(runs.newestFirst));
            checkScan();
            checkSeek();
            while (!runs.newestFirst.isEmpty()) {
                boolean last = runs.newestFirst.size() == 1;
                mergeSome();
                checkScan();
                assertThat(ModelRuns.atBottom(ModelRuns.merged(runs.newestFirst)))
                        .isEqualTo(living);
                if (last) {
                    break;
                }
            }
            runs.release();
        }

        private void checkScan() throws IOException {
            KeyGroupSpan span = random.nextBoolean() ? KeyGroupSpan.ALL : runs.randomSpan();
            TreeMap<Key, Content> expected = ModelRuns.merged(runs.newestFirst);
            expected.keySet().removeIf(key -> !span.contains(key.keyGroup()));
            MergeCursor cursor =
                    MergeCursor.scan(
                            runs.views(),
                            span,
                            ModelRuns.DELIMITER,
                            new ValueConverters(ModelRuns.RULES),
                            StreamingPageSource::of);
            assertThat(runs.drain(cursor)).isEqualTo(expected);
            assertThat(cursor.next()).isFalse();
        }

        /** Through one small cache for all inputs, as the engine's prefix scans go. */
        private void checkSeek() throws IOException {
            TreeMap<Key, Content> all = ModelRuns.merged(runs.newestFirst);
            int pageBytes = runs.options().pageBytes();
            try (PageMemory memory = new PageMemory(3L * pageBytes, SlabAllocator.directBuffers());
                    PageCache cache = memory.newCache(pageBytes)) {
                for (int i = 0; i < 8; i++) {
                    int keyGroup = random.nextInt(ModelRuns.KEY_GROUPS);
                    long from = random.nextBoolean() ? random.nextLong() : someOrderKey(all);
                    TreeMap<Key, Content> expected = new TreeMap<>(all);
                    expected.keySet()
                            .removeIf(
                                    key ->
                                            key.keyGroup() != keyGroup
                                                    || Long.compareUnsigned(key.orderKey(), from)
                                                            < 0);
                    MergeCursor cursor =
                            MergeCursor.seek(
                                    runs.views(),
                                    keyGroup,
                                    from,
                                    ModelRuns.DELIMITER,
                                    new ValueConverters(ModelRuns.RULES),
                                    view -> cache);
                    assertThat(runs.drain(cursor)).isEqualTo(expected);
                }
            }
        }

        private long someOrderKey(TreeMap<Key, Content> contents) {
            return contents.keySet().stream()
                    .skip(random.nextInt(contents.size() + 1))
                    .findFirst()
                    .map(Key::orderKey)
                    .orElse(-1L);
        }

        private void mergeSome() throws IOException {
            int count = runs.newestFirst.size();
            int newest = random.nextInt(count);
            int oldest = newest + random.nextInt(count - newest);
            List<ModelRun> inputs = runs.newestFirst.subList(newest, oldest + 1);
            boolean bottom = oldest == count - 1;
            TreeMap<Key, Content> expected = ModelRuns.merged(inputs);
            if (bottom) {
                expected = ModelRuns.atBottom(expected);
            }
            List<RunView> views = inputs.stream().map(ModelRun::view).toList();
            Optional<Segment> merged =
                    compactor
                            .compact(
                                    List.of(new Merge(views, bottom, ModelRuns.RULES)),
                                    runs.newId(),
                                    () -> false)
                            .segment();
            assertThat(merged.isPresent()).isEqualTo(!expected.isEmpty());
            inputs.forEach(input -> input.view().run().segment().release());
            inputs.clear();
            if (merged.isPresent()) {
                Segment segment = merged.get();
                segment.verifyData();
                assertThat(segment.references()).isEqualTo(1);
                assertThat(segment.runs()).hasSize(1);
                assertThat(segment.runs().get(0).spec()).isEqualTo(ModelRuns.SPEC);
                assertThat(segment.runs().get(0).records()).isEqualTo(expected.size());
                runs.newestFirst.add(
                        newest,
                        new ModelRun(
                                new RunView(segment.runs().get(0), KeyGroupSpan.ALL), expected));
            }
        }
    }
}
