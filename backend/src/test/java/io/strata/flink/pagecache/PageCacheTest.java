/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.pagecache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.io.StorageDirectory;
import io.strata.flink.segment.PageView;
import io.strata.flink.segment.Segment;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageCacheTest {

    private static final int PAGE_BYTES = 128;
    private static final long SEED = Long.getLong("strata.seed", 7);

    @TempDir Path temp;

    private final CountingSlabs slabs = new CountingSlabs();
    private final PageView view = new PageView();
    private StorageDirectory dir;
    private Segment segment;
    private List<KnownPages.Page> pages;

    @BeforeEach
    void writeSegment() throws IOException {
        dir = LocalStorageDirectory.create(temp.resolve("segments"));
        segment = KnownPages.write(dir, PAGE_BYTES, 1_500, new Random(SEED));
        pages = KnownPages.of(segment);
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        assertThat(slabs.liveBytes()).isZero();
        segment.release();
        assertThat(dir.list()).isEmpty();
        dir.close();
    }

    @Test
    void everySecondAccessHitsWhenAllFits() throws IOException {
        try (PageMemory memory = memoryOfPages(2 * pages.size());
                PageCache cache = memory.newCache(PAGE_BYTES)) {
            touchAll(cache);
            touchAll(cache);
            assertThat(cache.misses()).isEqualTo(pages.size());
            assertThat(cache.hits()).isEqualTo(pages.size());
        }
    }

    @Test
    void worksWithoutMemory() throws IOException {
        try (PageMemory memory = memoryOfPages(0);
                PageCache cache = memory.newCache(PAGE_BYTES)) {
            touchAll(cache);
            touchAll(cache);
            assertThat(cache.hits()).isZero();
            assertThat(slabs.peakBytes()).isZero();
        }
    }

    @Test
    void pagesLongerThanAFrameAreShownUncached() throws IOException {
        try (PageMemory memory = memoryOfPages(1_000);
                PageCache cache = memory.newCache(PAGE_BYTES / 2)) {
            pages.get(0).check(cache, view);
            pages.get(0).check(cache, view);
            assertThat(pages.get(0).length()).isGreaterThan(PAGE_BYTES / 2);
            assertThat(cache.hits()).isZero();
        }
    }

    @Test
    void aPageInUseOutlivesAScan() throws IOException {
        try (PageMemory memory = memoryOfPages(16);
                PageCache cache = memory.newCache(PAGE_BYTES)) {
            KnownPages.Page hot = pages.get(0);
            hot.check(cache, view);
            for (KnownPages.Page page : pages.subList(1, pages.size())) {
                hot.check(cache, view);
                page.check(cache, view);
            }
            assertThat(cache.hits()).isEqualTo(pages.size() - 1L);
        }
    }

    @Test
    void aNewCacheGetsItsShareFromTheOlder() throws IOException {
        try (PageMemory memory = memoryOfPages(64);
                PageCache older = memory.newCache(PAGE_BYTES)) {
            touchAll(older);
            assertThat(older.allocatedBytes()).isEqualTo(memory.totalBytes());
            PageCache newer = memory.newCache(PAGE_BYTES);
            for (int round = 0; round < 3; round++) {
                for (KnownPages.Page page : pages) {
                    page.check(newer, view);
                    page.check(older, view);
                }
            }
            assertThat(newer.allocatedBytes()).isEqualTo(memory.totalBytes() / 2);
            assertThat(older.allocatedBytes()).isEqualTo(memory.totalBytes() / 2);
            newer.close();
            touchAll(older);
            assertThat(older.allocatedBytes()).isEqualTo(memory.totalBytes());
        }
    }

    /** What a claim frees is not taken by another cache that has its share already. */
    @Test
    void aClaimedSlabIsKeptForTheClaimant() throws IOException {
        try (PageMemory memory = memoryOfPages(64);
                PageCache older = memory.newCache(PAGE_BYTES);
                PageCache newer = memory.newCache(PAGE_BYTES)) {
            touchAll(older);
            pages.get(0).check(newer, view);
            assertThat(newer.allocatedBytes()).isZero();
            touchAll(older);
            assertThat(older.allocatedBytes()).isLessThan(memory.totalBytes());
            pages.get(0).check(newer, view);
            assertThat(newer.allocatedBytes()).isPositive();
            assertThat(memory.allocatedBytes()).isEqualTo(memory.totalBytes());
        }
    }

    @Test
    void pagesOfADroppedSegmentLeaveAtOnce() throws IOException {
        try (PageMemory memory = memoryOfPages(2 * pages.size());
                PageCache cache = memory.newCache(PAGE_BYTES)) {
            touchAll(cache);
            long allocated = cache.allocatedBytes();
            cache.evictSegment(segment.serial());
            cache.checkStructure();
            touchAll(cache);
            assertThat(cache.misses()).isEqualTo(2L * pages.size());
            assertThat(cache.allocatedBytes()).isEqualTo(allocated);
        }
    }

    @Test
    void aCorruptPageLeavesNoTrace() throws IOException {
        KnownPages.Page bad = pages.get(5);
        Path file = dir.path(segment.id().fileName());
        try (PageMemory memory = memoryOfPages(16);
                PageCache cache = memory.newCache(PAGE_BYTES)) {
            flipByte(file, bad.offset() + 9);
            for (int i = 0; i < 40; i++) {
                assertThatThrownBy(() -> bad.check(cache, view))
                        .isInstanceOf(CorruptFormatException.class);
                pages.get(i + 6).check(cache, view);
                cache.checkStructure();
            }
            flipByte(file, bad.offset() + 9);
            bad.check(cache, view);
            assertThat(cache.allocatedBytes()).isEqualTo(memory.totalBytes());
        }
    }

    @Test
    void aHitAllocatesNothing() throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (PageMemory memory = memoryOfPages(2 * pages.size());
                PageCache cache = memory.newCache(PAGE_BYTES)) {
            touchAll(cache);
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 100_000; i++) {
                KnownPages.Page page = pages.get(i % pages.size());
                cache.page(page.segment(), page.offset(), page.storedBytes(), page.length(), view);
            }
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertThat(allocated).isLessThan(100_000);
            assertThat(cache.hits()).isEqualTo(100_000);
        }
    }

    @Test
    void memoryIsNotClosedUnderACache() {
        PageMemory memory = memoryOfPages(16);
        PageCache cache = memory.newCache(PAGE_BYTES);
        assertThatThrownBy(memory::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("1 page caches");
        cache.close();
        cache.close();
        memory.close();
        assertThatThrownBy(() -> memory.newCache(PAGE_BYTES))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aClosedCacheReadsNothing() {
        try (PageMemory memory = memoryOfPages(16)) {
            PageCache cache = memory.newCache(PAGE_BYTES);
            cache.close();
            assertThatThrownBy(() -> pages.get(0).check(cache, view))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aFailedAllocationIsNotCounted() throws IOException {
        PageMemory memory =
                new PageMemory(
                        1 << 20,
                        bytes -> {
                            throw new OutOfMemoryError("planted");
                        });
        PageCache cache = memory.newCache(PAGE_BYTES);
        assertThatThrownBy(() -> pages.get(0).check(cache, view))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(memory.allocatedBytes()).isZero();
        cache.close();
        memory.close();
    }

    @Test
    void twoThreadsShareAMemory() throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(2);
        try (PageMemory memory = memoryOfPages(100)) {
            Future<?> one = executor.submit(() -> openUseClose(memory, SEED));
            Future<?> two = executor.submit(() -> openUseClose(memory, SEED + 1));
            one.get();
            two.get();
            assertThat(slabs.peakBytes()).isLessThanOrEqualTo(memory.totalBytes());
        } finally {
            executor.shutdownNow();
        }
    }

    private Void openUseClose(PageMemory memory, long seed) throws IOException {
        Random random = new Random(seed);
        PageView own = new PageView();
        for (int round = 0; round < 30; round++) {
            try (PageCache cache = memory.newCache(PAGE_BYTES)) {
                int accesses = random.nextInt(3_000);
                for (int i = 0; i < accesses; i++) {
                    pages.get(random.nextInt(pages.size())).check(cache, own);
                }
                cache.checkStructure();
            }
        }
        return null;
    }

    private PageMemory memoryOfPages(int count) {
        return new PageMemory((long) count * PAGE_BYTES, slabs);
    }

    private void touchAll(PageCache cache) throws IOException {
        for (KnownPages.Page page : pages) {
            page.check(cache, view);
        }
        cache.checkStructure();
    }

    private static void flipByte(Path path, long position) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(position);
            int old = file.read();
            file.seek(position);
            file.write(old ^ 1);
        }
    }
}
