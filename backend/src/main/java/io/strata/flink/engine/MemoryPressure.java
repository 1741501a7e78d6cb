/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.hot.HeapLease;
import io.strata.flink.hot.HotBytes;
import java.io.IOException;

/**
 * Keeps the hot tier of one store within its lease: decides when to seal, when to evict, and when
 * the task has to wait (I8). Task thread only.
 */
final class MemoryPressure {

    /** An epoch is sealed when what it dirtied takes this part of the lease. */
    private static final int SEAL_PART = 4;

    /**
     * As long as a flush is under way, epochs are sealed in smaller parts: when the task then has
     * to wait, it is for one of these.
     */
    private static final int BUSY_SEAL_PART = 8;

    /** Such a part is no larger than this, whatever the lease: a fraction of a second's work. */
    private static final long MAX_BUSY_SEAL_BYTES = 32L << 20;

    /** The directories of runs may reduce the hot tier to this part of the lease. */
    private static final int MAX_DIRECTORY_PART = 2;

    /** Eviction goes on until this part of the lease is free, so that it is not for every entry. */
    private static final int HEADROOM_PART = 32;

    private final TieredStore store;
    private final HotBytes hotBytes;
    private final HeapLease lease;
    private final long leastBytes;
    private long directoryBytes;

    /**
     * @param leastBytes counts as the lease when that is smaller, so that flushes are not so small
     *     that all time goes into making files
     */
    MemoryPressure(TieredStore store, HotBytes hotBytes, HeapLease lease, long leastBytes) {
        this.store = store;
        this.hotBytes = hotBytes;
        this.lease = lease;
        this.leastBytes = leastBytes;
    }

    /** Tells whether the hot tier is larger than its lease. */
    boolean isOverLimit() {
        return !hasRoomFor(0);
    }

    /** Tells whether the hot tier could grow by so much within its lease. */
    boolean hasRoomFor(long bytes) {
        return hotBytes.bytes() + bytes <= limitBytes();
    }

    /** Tells whether the current epoch dirtied enough to be flushed. */
    boolean wantsSeal() {
        return hotBytes.dirtyBytes() - store.inFlightBytes() > sealBytes();
    }

    private long sealBytes() {
        long limit = limitBytes();
        return store.flushesInFlight() == 0
                ? limit / SEAL_PART
                : Math.min(limit / BUSY_SEAL_PART, MAX_BUSY_SEAL_BYTES);
    }

    /** Tells what the directories of all runs take of the heap. */
    void setDirectoryBytes(long bytes) {
        directoryBytes = bytes;
    }

    /** Returns what the hot tier may take: the lease without the directories of the runs. */
    long limitBytes() {
        long limit = lease.limitBytes();
        long left = limit - Math.min(directoryBytes, limit / MAX_DIRECTORY_PART);
        return Math.max(leastBytes, left);
    }

    /** Evicts what is clean while the hot tier is larger than its lease; waits for nothing. */
    void evictExcess() {
        evictExcess(0);
    }

    private void evictExcess(long wantedBytes) {
        long limit = limitBytes();
        long excess = hotBytes.bytes() + wantedBytes - limit;
        if (excess > 0) {
            store.evict(excess + limit / HEADROOM_PART);
        }
    }

    /**
     * Makes room for so many bytes more: evicts what is clean, and while that is not enough waits
     * for flushes.
     *
     * <p>Returns without that room only when nothing is left to flush or evict: with structures
     * that are never evicted, or a lease too small for them.
     */
    void makeRoomFor(long bytes) throws IOException {
        while (!hasRoomFor(bytes)) {
            evictExcess(bytes);
            if (hasRoomFor(bytes) || !store.flushOldestAndWait()) {
                return;
            }
        }
    }
}
