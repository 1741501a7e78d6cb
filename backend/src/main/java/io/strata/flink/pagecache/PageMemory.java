/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.pagecache;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;

/**
 * A budget of page memory shared by the caches of one slot.
 *
 * <p>Thread-safe: caches of different task threads come here when they want, owe or give back a
 * slab, never for a hit. The slabs allocated never exceed the total, to the byte.
 */
public final class PageMemory implements Closeable {

    /** The largest slab, in bytes. */
    static final int MAX_SLAB_BYTES = 1 << 20;

    /** A total below 16 of the largest slabs is divided into about this many smaller ones. */
    private static final int MIN_SLABS = 16;

    private final long totalBytes;
    private final SlabAllocator allocator;
    private final List<PageCache> caches = new ArrayList<>();

    /** Bytes kept free for the caches that have claimed a slab and wait for it. */
    private long claimedBytes;

    private boolean closed;

    /** Written under the lock; read without it as a hint. */
    private volatile long allocatedBytes;

    private volatile long fairShareBytes;

    /** Creates a budget of {@code totalBytes}, which may be 0; allocates nothing yet. */
    public PageMemory(long totalBytes, SlabAllocator allocator) {
        if (totalBytes < 0) {
            throw new IllegalArgumentException("a page memory of " + totalBytes + " bytes");
        }
        this.totalBytes = totalBytes;
        this.allocator = allocator;
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
        fairShareBytes = totalBytes / caches.size();
        return cache;
    }

    /** Returns the bytes that all slabs together may take. */
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
        closed = true;
    }

    /** Tells without the lock whether {@link #acquire} may be of use now. */
    boolean worthAsking(PageCache cache) {
        int slabBytes = cache.slabBytes();
        return totalBytes - allocatedBytes >= slabBytes
                || cache.allocatedBytes() + slabBytes <= fairShareBytes;
    }

    /**
     * Gives the cache a slab, or null when it gets none now. It may then have claimed one from
     * another cache, and finds it here when that cache gave it back.
     */
    synchronized Slab acquire(PageCache cache) {
        int slabBytes = cache.slabBytes();
        long claimedByOthers = claimedBytes - cache.claimedBytes;
        if (totalBytes - allocatedBytes - claimedByOthers >= slabBytes) {
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
        fairShareBytes = caches.isEmpty() ? 0 : totalBytes / caches.size();
    }

    /** Makes the cache with the most memory owe a slab's bytes, if it stays at its fair share. */
    private synchronized void claimFromRichest(PageCache claimant, int slabBytes) {
        PageCache richest = null;
        for (PageCache cache : caches) {
            if (cache != claimant && (richest == null || spare(cache) > spare(richest))) {
                richest = cache;
            }
        }
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
