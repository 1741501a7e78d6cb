/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.pagecache;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.io.StorageDirectory;
import io.strata.flink.segment.PageView;
import io.strata.flink.segment.Segment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random accesses, caches that come and go, segments that are dropped: every page shown is right,
 * and after every operation all structures and all accounts agree.
 *
 * <p>{@code -Dstrata.seed=N} replays one seed.
 */
class PageCacheModelTest {

    private static final int SEEDS = 60;
    private static final int OPERATIONS = 1_500;
    private static final int[] PAGE_BYTES = {64, 128, 200, 256};

    @TempDir Path temp;

    @Test
    void cachesAgreeWithTheFiles() throws IOException {
        Long only = Long.getLong("strata.seed");
        try (StorageDirectory dir = LocalStorageDirectory.create(temp.resolve("segments"))) {
            for (long seed = only == null ? 0 : only; seed < (only == null ? SEEDS : only + 1); ) {
                try {
                    new Model(dir, new Random(seed)).play();
                } catch (Exception | AssertionError e) {
                    throw new AssertionError("replay with -Dstrata.seed=" + seed, e);
                }
                seed++;
            }
        }
    }

    /** The caches of one memory and what is known of them. */
    private static final class Model {

        private final StorageDirectory dir;
        private final Random random;
        private final CountingSlabs slabs = new CountingSlabs();
        private final PageMemory memory;
        private final int pageBytes;
        private final List<PageCache> caches = new ArrayList<>();
        private final List<Long> accesses = new ArrayList<>();
        private final List<List<KnownPages.Page>> segments = new ArrayList<>();
        private final PageView view = new PageView();

        Model(StorageDirectory dir, Random random) {
            this.dir = dir;
            this.random = random;
            this.pageBytes = PAGE_BYTES[random.nextInt(PAGE_BYTES.length)];
            int pages = random.nextInt(6) == 0 ? random.nextInt(2) : random.nextInt(200);
            this.memory =
                    new PageMemory((long) pages * pageBytes + random.nextInt(pageBytes), slabs);
        }

        void play() throws IOException {
            for (int i = 0; i < 3; i++) {
                addSegment();
            }
            for (int i = 0; i < OPERATIONS; i++) {
                step();
                check();
            }
            caches.forEach(PageCache::close);
            memory.close();
            assertThat(slabs.liveBytes()).isZero();
            segments.forEach(pages -> pages.get(0).segment().release());
        }

        private void step() throws IOException {
            int choice = random.nextInt(100);
            if (caches.isEmpty() || (choice == 0 && caches.size() < 4)) {
                int own = random.nextInt(4) == 0 ? 64 : pageBytes;
                caches.add(memory.newCache(own));
                accesses.add(0L);
            } else if (choice == 1) {
                int index = random.nextInt(caches.size());
                caches.remove(index).close();
                accesses.remove(index);
            } else if (choice == 2) {
                dropSegment();
                addSegment();
            } else {
                access();
            }
        }

        private void access() throws IOException {
            int index = random.nextInt(caches.size());
            PageCache cache = caches.get(index);
            List<KnownPages.Page> pages = segments.get(random.nextInt(segments.size()));
            double draw = random.nextDouble();
            pages.get((int) (pages.size() * draw * draw)).check(cache, view);
            accesses.set(index, accesses.get(index) + 1);
            assertThat(cache.owedBytes == 0 || cache.allocatedBytes() == 0)
                    .as("gives back at its next access")
                    .isTrue();
        }

        private void addSegment() throws IOException {
            int ownPageBytes = random.nextInt(4) == 0 ? 256 : pageBytes;
            Segment segment = KnownPages.write(dir, ownPageBytes, 20 + random.nextInt(600), random);
            segments.add(KnownPages.of(segment));
        }

        private void dropSegment() {
            List<KnownPages.Page> pages = segments.remove(random.nextInt(segments.size()));
            Segment segment = pages.get(0).segment();
            if (random.nextBoolean()) {
                caches.forEach(cache -> cache.evictSegment(segment.serial()));
            }
            segment.release();
        }

        private void check() {
            long allocated = 0;
            for (int i = 0; i < caches.size(); i++) {
                PageCache cache = caches.get(i);
                cache.checkStructure();
                assertThat(cache.hits() + cache.misses()).isEqualTo(accesses.get(i));
                allocated += cache.allocatedBytes();
            }
            assertThat(allocated).isEqualTo(memory.allocatedBytes()).isEqualTo(slabs.liveBytes());
            assertThat(slabs.peakBytes()).isLessThanOrEqualTo(memory.totalBytes());
        }
    }
}
