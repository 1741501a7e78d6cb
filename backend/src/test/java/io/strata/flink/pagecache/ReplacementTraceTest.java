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
import io.strata.flink.traces.AccessTrace;
import io.strata.flink.traces.AccessTrace.Step;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Replays traces through a page cache, a page for each key, next to LRU-2 (O'Neil, O'Neil and
 * Weikum, SIGMOD 1993) with a memory of all accesses there ever were. {@code -Dstrata.print} prints
 * the table.
 */
class ReplacementTraceTest {

    private static final int PAGE_BYTES = 64;
    private static final int PAGES = 120_000;

    /** In percent of the accesses. */
    private static final double MARGIN = 2;

    @TempDir Path temp;

    @Test
    void hitRatiosAreThoseOfLru2() throws IOException {
        try (StorageDirectory dir = LocalStorageDirectory.create(temp.resolve("segments"))) {
            Segment segment = KnownPages.write(dir, PAGE_BYTES, PAGES, new Random(1));
            List<KnownPages.Page> pages = KnownPages.of(segment);
            for (AccessTrace trace : traces()) {
                int[] accesses = pagesOf(trace);
                assertThat(Arrays.stream(accesses).max().orElseThrow()).isLessThan(pages.size());
                compare(trace, accesses, pages);
            }
            segment.release();
        }
    }

    private static List<AccessTrace> traces() {
        return List.of(
                AccessTrace.uniform(),
                AccessTrace.zipf(0.8, Step.GET),
                AccessTrace.zipf(0.99, Step.GET),
                AccessTrace.zipf(1.2, Step.GET),
                AccessTrace.scanOverHotSet(),
                AccessTrace.shiftingHotSet(),
                AccessTrace.windows(),
                AccessTrace.sessions());
    }

    private static void compare(AccessTrace trace, int[] accesses, List<KnownPages.Page> pages)
            throws IOException {
        PageMemory memory =
                new PageMemory((long) trace.capacity() * PAGE_BYTES, SlabAllocator.directBuffers());
        try (memory;
                PageCache cache = memory.newCache(PAGE_BYTES)) {
            PageView view = new PageView();
            for (int access : accesses) {
                KnownPages.Page page = pages.get(access);
                cache.page(page.segment(), page.offset(), page.storedBytes(), page.length(), view);
            }
            cache.checkStructure();
            double found = 100.0 * cache.hits() / accesses.length;
            int frames = (int) (cache.allocatedBytes() / PAGE_BYTES);
            double reference = 100.0 * new Lru2(frames).hits(accesses) / accesses.length;
            if (System.getProperty("strata.print") != null) {
                System.out.printf(
                        Locale.ROOT, "| %s | %.1f | %.1f |%n", trace.name(), reference, found);
            }
            assertThat(found).as(trace.name()).isGreaterThan(reference - MARGIN);
        }
    }

    /** Returns a page for each access; the deletion of a key is none. */
    private static int[] pagesOf(AccessTrace trace) {
        Map<Long, Integer> pageOfKey = new HashMap<>();
        return Arrays.stream(trace.steps())
                .filter(step -> Step.of(step) != Step.CLEAR)
                .mapToInt(
                        step ->
                                pageOfKey.computeIfAbsent(
                                        AccessTrace.key(step), key -> pageOfKey.size()))
                .toArray();
    }

    /** Whose last access but one is longest ago leaves, those with one access first. */
    private static final class Lru2 {

        private record Held(long lastButOne, long last, int page) {}

        private final int capacity;
        private final Map<Integer, Held> known = new HashMap<>();
        private final TreeSet<Held> held =
                new TreeSet<>(
                        (a, b) ->
                                a.lastButOne != b.lastButOne
                                        ? Long.compare(a.lastButOne, b.lastButOne)
                                        : Long.compare(a.last, b.last));
        private long now;

        Lru2(int capacity) {
            this.capacity = capacity;
        }

        long hits(int[] accesses) {
            long hits = 0;
            for (int page : accesses) {
                Held before = known.get(page);
                boolean hit = before != null && held.remove(before);
                hits += hit ? 1 : 0;
                if (!hit && held.size() == capacity) {
                    held.pollFirst();
                }
                Held after = new Held(before == null ? -1 : before.last, ++now, page);
                known.put(page, after);
                held.add(after);
            }
            return hits;
        }
    }
}
