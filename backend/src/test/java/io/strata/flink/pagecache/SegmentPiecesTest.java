/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.pagecache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.segment.KeyGroupEntry;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.io.StorageDirectory;
import io.strata.flink.segment.PageView;
import io.strata.flink.segment.Run;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentMemory;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Indexes and filters share the memory of pages, and stay within it. */
class SegmentPiecesTest {

    private static final int PAGE_BYTES = 1024;
    private static final int TOTAL_BYTES = 64 << 10;

    @TempDir Path temp;

    private final CountingSlabs slabs = new CountingSlabs();
    private final PageView view = new PageView();
    private StorageDirectory dir;
    private Segment written;

    @BeforeEach
    void writeSegment() throws IOException {
        dir = LocalStorageDirectory.create(temp.resolve("segments"));
        written = KnownPages.write(dir, PAGE_BYTES, 4_000, new Random(5));
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        assertThat(slabs.liveBytes()).isZero();
        written.release();
        dir.close();
    }

    @Test
    void aSegmentTakesItsIndexAndFiltersFromTheMemoryAndGivesThemBack() throws IOException {
        try (PageMemory memory = new PageMemory(TOTAL_BYTES, slabs)) {
            Segment segment = open(written, memory);
            Run run = segment.runs().get(0);
            assertThat(run.filterBytes()).isGreaterThanOrEqualTo(4_000 * 10 / 8);
            assertThat(slabs.liveBytes()).isEqualTo(memory.pieceBytes());
            assertThat(memory.pieceBytes()).isBetween(run.filterBytes(), run.metadataBytes());
            close(segment);
            assertThat(memory.pieceBytes()).isZero();
        }
    }

    @Test
    void withoutMemoryThereAreNoFiltersButEveryRecordIsFound() throws IOException {
        try (PageMemory memory = new PageMemory(0, slabs)) {
            Segment segment = open(written, memory);
            Run run = segment.runs().get(0);
            assertThat(run.filterBytes()).isZero();
            for (KeyGroupEntry entry : run.keyGroups()) {
                assertThat(run.mayContain(entry.keyGroup(), 4711)).isTrue();
            }
            close(segment);
        }
    }

    @Test
    void filtersNeverMakeTheTotalLarger() throws IOException {
        try (PageMemory memory = new PageMemory(TOTAL_BYTES, slabs);
                PageCache cache = memory.newCache(PAGE_BYTES)) {
            touchAll(cache);
            assertThat(slabs.liveBytes()).isEqualTo(TOTAL_BYTES);
            // no memory is free until the cache is asked again
            assertThat(cache.segmentMemory().forFilters(PAGE_BYTES)).isNull();
            assertThat(slabs.peakBytes()).isEqualTo(TOTAL_BYTES);
        }
    }

    @Test
    void filtersThatAreExpectedFindRoom() throws IOException {
        int filterBytes = TOTAL_BYTES / 4;
        try (PageMemory memory = new PageMemory(TOTAL_BYTES, slabs);
                PageCache cache = memory.newCache(PAGE_BYTES)) {
            touchAll(cache);
            SegmentMemory.Piece filters;
            try (Closeable expected = cache.segmentMemory().expectFilters(filterBytes)) {
                touchAll(cache);
                filters = cache.segmentMemory().forFilters(filterBytes);
            }
            assertThat(filters).isNotNull();
            touchAll(cache);
            assertThat(slabs.peakBytes()).isEqualTo(TOTAL_BYTES);
            filters.free();
            touchAll(cache);
            assertThat(slabs.liveBytes()).isEqualTo(TOTAL_BYTES);
        }
    }

    @Test
    void filtersGetAtMostHalf() throws IOException {
        try (PageMemory memory = new PageMemory(TOTAL_BYTES, slabs)) {
            List<SegmentMemory.Piece> pieces = new ArrayList<>();
            SegmentMemory.Piece piece = memory.segmentMemory().forFilters(TOTAL_BYTES / 16);
            while (piece != null) {
                pieces.add(piece);
                piece = memory.segmentMemory().forFilters(TOTAL_BYTES / 16);
            }
            assertThat(pieces).hasSize(8);
            pieces.forEach(SegmentMemory.Piece::free);
        }
    }

    @Test
    void cachesMakeRoomForIndexesAtTheirNextAccess() throws IOException {
        int indexBytes = TOTAL_BYTES / 4;
        try (PageMemory memory = new PageMemory(TOTAL_BYTES, slabs);
                PageCache first = memory.newCache(PAGE_BYTES);
                PageCache second = memory.newCache(PAGE_BYTES)) {
            touchAll(first);
            touchAll(second);
            touchAll(first);
            touchAll(second);
            SegmentMemory.Piece index = memory.segmentMemory().forIndex(indexBytes);
            touchAll(first);
            touchAll(second);
            assertThat(slabs.liveBytes()).isLessThanOrEqualTo(TOTAL_BYTES);
            assertThat(memory.allocatedBytes()).isLessThanOrEqualTo(TOTAL_BYTES - indexBytes);
            index.free();
        }
    }

    @Test
    void aSegmentThatCannotBeOpenedLeavesNothing() throws IOException {
        SegmentId id = written.id();
        KeyGroupEntry entry = written.runs().get(0).keyGroups().get(0);
        try (RandomAccessFile file = new RandomAccessFile(dir.path(id.fileName()).toFile(), "rw")) {
            file.seek(entry.filterOffset());
            int before = file.read();
            file.seek(entry.filterOffset());
            file.write(before ^ 1);
        }
        try (PageMemory memory = new PageMemory(TOTAL_BYTES, slabs)) {
            assertThatThrownBy(
                            () -> Segment.open(dir, id, KeyGroupSpan.ALL, memory.segmentMemory()))
                    .isInstanceOf(CorruptFormatException.class);
            assertThat(memory.pieceBytes()).isZero();
        }
    }

    private Segment open(Segment of, PageMemory memory) throws IOException {
        return Segment.open(dir, of.id(), KeyGroupSpan.ALL, memory.segmentMemory());
    }

    /** Releases a second opening of the file, which the first one still needs. */
    private void close(Segment segment) throws IOException {
        Path file = dir.path(segment.id().fileName());
        Path kept = temp.resolve("kept");
        Files.createLink(kept, file);
        segment.release();
        Files.move(kept, file);
    }

    private void touchAll(PageCache cache) throws IOException {
        for (KnownPages.Page page : KnownPages.of(written)) {
            page.check(cache, view);
        }
    }
}
