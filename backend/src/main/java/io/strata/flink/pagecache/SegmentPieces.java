/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.pagecache;

import io.strata.flink.segment.SegmentMemory;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Indexes and filters of open segments in a {@link PageMemory}, at the expense of its caches.
 *
 * <p>Filters get memory that is free at that moment, and at most half of the total together with
 * the indexes; without one, lookups read more pages. Indexes always get theirs: they are a few
 * thousandths of the data, and caches give back what is then too much at their next access.
 *
 * <p>Any thread may call.
 */
final class SegmentPieces implements SegmentMemory {

    private final PageMemory memory;
    private final SlabAllocator allocator;

    SegmentPieces(PageMemory memory, SlabAllocator allocator) {
        this.memory = memory;
        this.allocator = allocator;
    }

    @Override
    public Piece forIndex(int bytes) {
        memory.takeForIndex(bytes);
        return allocate(bytes);
    }

    @Override
    public Piece forFilters(int bytes) {
        return memory.takeForFilters(bytes) ? allocate(bytes) : null;
    }

    @Override
    public Closeable expectFilters(long bytes) {
        long kept = memory.keepFree(bytes);
        AtomicBoolean open = new AtomicBoolean(true);
        return () -> {
            if (open.compareAndSet(true, false)) {
                memory.keepFree(-kept);
            }
        };
    }

    private Piece allocate(int bytes) {
        Slab slab;
        try {
            slab = allocator.allocate(bytes);
        } catch (RuntimeException | Error e) {
            memory.takeBackPiece(bytes);
            throw e;
        }
        ByteBuffer buffer = slab.buffer().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        return new Piece() {
            @Override
            public ByteBuffer buffer() {
                return buffer;
            }

            @Override
            public void free() {
                slab.free();
                memory.takeBackPiece(bytes);
            }
        };
    }
}
