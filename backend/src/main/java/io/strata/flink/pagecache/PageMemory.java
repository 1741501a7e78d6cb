/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.pagecache;

import io.strata.flink.segment.SegmentMemory;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;

/**
 * A budget of memory shared by the page caches and the open segments of one slot.
 *
 * <p>Thread-safe: caches of different task threads come here when they want, owe or give back a
 * slab, never for a hit. Slabs, and what {@link #segmentMemory} gave out, together never exceed the
 * total, but for indexes of segments until the caches have made room for them.
 */
public final class PageMemory implements Closeable {

    /** The largest slab, in bytes. */
    static final int MAX_SLAB_BYTES = 1 << 20;

    /** A total below 16 of the largest slabs is divided into about this many smaller ones. */
    private static final int MIN_SLABS = 16;

    /** Indexes and filters together get this part of the total at most, indexes alone all. */
    private static final int MAX_FILTERS_PART = 2;

    /** Once there are segments, caches leave this part free for the next one. */
    private static final int HEADROOM_PART = 32;

    private final long totalBytes;
    private final SlabAllocator allocator;
    private final SegmentMemory segmentMemory;
    private final List<PageCache> caches = new ArrayList<>();

    /** Bytes kept free for the caches that have claimed a slab and wait for it. */
    private long claimedBytes;

    /** Bytes of indexes and filters. */
    private long pieceBytes;

    /** Bytes that caches leave free for filters that are expected. */
    private long keptFreeBytes;

    private boolean closed;

    /** Written under the lock; read without it as a hint. */
    private volatile long allocatedBytes;

    private volatile long fairShareBytes;

    /** The {@link #slabBudgetBytes} as it was at the last change. */
    private volatile long cachesMayHaveBytes;

    /** Creates a budget of {@code totalBytes}, which may be 0; allocates nothing yet. */
    public PageMemory(long totalBytes, SlabAllocator allocator) {
        if (totalBytes < 0) {
            throw new IllegalArgumentException("a page memory of " + totalBytes + " bytes");
        }
        this.totalBytes = totalBytes;
        this.allocator = allocator;
        this.segmentMemory = new SegmentPieces(this, allocator);
        this.cachesMayHaveBytes = totalBytes;
    }

    /**
     * Creates a cache of pages of {@code pageBytes}, for one task thread. It owns no memory at
     * first.
     */
    public synchronized PageCache newCache(int pageBytes) {
        if (closed) {
            throw new IllegalStateException("the page memory is closed");
        }
        PageCache cache = new PageCache(this, pageBytes, framesPerSlab(pageBytes));
        caches.add(cache);
        divide();
        return cache;
    }

    /** Returns where the open segments of the slot keep indexes and filters. */
    public SegmentMemory segmentMemory() {
        return segmentMemory;
    }

    /** Returns the bytes that slabs, indexes and filters together may take. */
    public long totalBytes() {
        return totalBytes;
    }

    /** Returns the bytes of the slabs that caches have now. */
    public long allocatedBytes() {
        return allocatedBytes;
    }

    /**
     * Ends the budget.
     *
     * @throws IllegalStateException when a cache is still open: its thread may be reading
     */
    @Override
    public synchronized void close() {
        if (!caches.isEmpty()) {
            throw new IllegalStateException(
                    caches.size() + " page caches are still open on this page memory");
        }
        if (allocatedBytes != 0 || claimedBytes != 0) {
            throw new IllegalStateException(
                    "page memory closed with %d bytes allocated and %d claimed"
                            .formatted(allocatedBytes, claimedBytes));
        }
        // pieces of segments that a snapshot still holds come back later
        closed = true;
    }

    /** Returns the bytes that indexes and filters have now. */
    synchronized long pieceBytes() {
        return pieceBytes;
    }

    synchronized void takeForIndex(int bytes) {
        pieceBytes += bytes;
        divide();
    }

    synchronized boolean takeForFilters(int bytes) {
        if (pieceBytes + bytes > totalBytes / MAX_FILTERS_PART
                || allocatedBytes + pieceBytes + bytes > totalBytes) {
            return false;
        }
        pieceBytes += bytes;
        divide();
        return true;
    }

    synchronized void takeBackPiece(int bytes) {
        pieceBytes -= bytes;
        divide();
    }

    /** Changes what caches leave free, as far as filters may have it; returns by how much. */
    synchronized long keepFree(long bytes) {
        long most = totalBytes / MAX_FILTERS_PART - pieceBytes - keptFreeBytes;
        long change = Math.min(bytes, Math.max(0, most));
        keptFreeBytes += change;
        divide();
        return change;
    }

    /** Returns what slabs may take now. */
    private long slabBudgetBytes() {
        long headroom = pieceBytes == 0 ? 0 : totalBytes / HEADROOM_PART;
        return Math.max(0, totalBytes - pieceBytes - Math.max(headroom, keptFreeBytes));
    }

    /** Makes those caches that have most owe what slabs take beyond their budget. */
    private synchronized void divide() {
        long budget = slabBudgetBytes();
        cachesMayHaveBytes = budget;
        fairShareBytes = caches.isEmpty() ? 0 : budget / caches.size();
        long over = allocatedBytes - budget;
        for (PageCache cache : caches) {
            over -= cache.owedBytes;
        }
        while (over > 0) {
            PageCache richest = richestBut(null);
            if (richest == null || richest.allocatedBytes() <= richest.owedBytes) {
                return;
            }
            richest.owedBytes += richest.slabBytes();
            over -= richest.slabBytes();
        }
    }

    private PageCache richestBut(PageCache claimant) {
        PageCache richest = null;
        for (PageCache cache : caches) {
            if (cache != claimant && (richest == null || spare(cache) > spare(richest))) {
                richest = cache;
            }
        }
        return richest;
    }

    /** Tells without the lock whether {@link #acquire} may be of use now. */
    boolean worthAsking(PageCache cache) {
        int slabBytes = cache.slabBytes();
        return cachesMayHaveBytes - allocatedBytes >= slabBytes
                || cache.allocatedBytes() + slabBytes <= fairShareBytes;
    }

    /**
     * Gives the cache a slab, or null when it gets none now. It may then have claimed one from
     * another cache, and finds it here when that cache gave it back.
     */
    synchronized Slab acquire(PageCache cache) {
        int slabBytes = cache.slabBytes();
        long claimedByOthers = claimedBytes - cache.claimedBytes;
        if (slabBudgetBytes() - allocatedBytes - claimedByOthers >= slabBytes) {
            Slab slab = allocator.allocate(slabBytes);
            allocatedBytes += slabBytes;
            withdrawClaim(cache);
            return slab;
        }
        if (cache.claimedBytes == 0 && cache.allocatedBytes() + slabBytes <= fairShareBytes) {
            claimFromRichest(cache, slabBytes);
        }
        return null;
    }

    /** Takes a slab back, whether it was owed or not. */
    synchronized void giveBack(PageCache cache, Slab slab) {
        int slabBytes = cache.slabBytes();
        allocatedBytes -= slabBytes;
        cache.owedBytes = Math.max(0, cache.owedBytes - slabBytes);
        slab.free();
    }

    /** Forgets a cache that has given all its slabs back. */
    synchronized void leave(PageCache cache) {
        withdrawClaim(cache);
        caches.remove(cache);
        divide();
    }

    /** Makes the cache with the most memory owe a slab's bytes, if it stays at its fair share. */
    private synchronized void claimFromRichest(PageCache claimant, int slabBytes) {
        PageCache richest = richestBut(claimant);
        if (richest != null && spare(richest) >= Math.max(slabBytes, richest.slabBytes())) {
            richest.owedBytes += slabBytes;
            claimant.claimedBytes = slabBytes;
            claimedBytes += slabBytes;
        }
    }

    private long spare(PageCache cache) {
        return cache.allocatedBytes() - cache.owedBytes - fairShareBytes;
    }

    private void withdrawClaim(PageCache cache) {
        claimedBytes -= cache.claimedBytes;
        cache.claimedBytes = 0;
    }

    /** A power of two, so that a frame's slab and place are found by shift and mask. */
    private int framesPerSlab(int pageBytes) {
        long slabBytes = Math.max(pageBytes, Math.min(MAX_SLAB_BYTES, totalBytes / MIN_SLABS));
        return Integer.highestOneBit((int) (slabBytes / pageBytes));
    }
}
