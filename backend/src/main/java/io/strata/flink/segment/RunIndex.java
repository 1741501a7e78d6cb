/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.segment.BlockedFilter;
import io.strata.flink.format.segment.FilterDescriptor;
import io.strata.flink.format.segment.KeyGroupEntry;
import io.strata.flink.format.segment.SegmentHeader;
import io.strata.flink.io.StorageInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * What a run keeps in memory: for each key group where its pages are, the first order key of each
 * page, and the filter.
 *
 * <p>What grows with the state lies in a {@link SegmentMemory}; where that has none for filters,
 * each lookup that they would have stopped reads a page. Immutable until it is freed. Key groups
 * are addressed by {@link #slot}; a page by its position in one array of all key groups' pages.
 * Where most key groups have records, a key group's slot follows from its number; else slots are of
 * the key groups with records only, and are searched: memory goes with the records, not with the
 * number of key groups.
 */
final class RunIndex {

    static final RunIndex EMPTY = new RunIndex(0, 0, null, null, 0, null, null);

    /** Slots are searched when so many times as many key groups lie between first and last. */
    private static final int SPARSE = 2;

    /** The longs of one slot: they share a cache line. */
    private static final int SLOT_LONGS = 2;

    private static final int OBJECT_BYTES = 64;
    private static final int PAGES = 0;
    private static final int FILTER = 1;

    private final int firstKeyGroup;

    /** The key groups with records, ascending; null when slots are not searched. */
    private final int[] searched;

    private final long[] slots;

    /** The first order keys of the pages, from {@link #keysAt} on. */
    private final ByteBuffer firstOrderKeys;

    private final int keysAt;
    private final PagePlaces places;

    /** Null when there was no memory for it. */
    private final ByteBuffer filterWords;

    /** The bytes of this run in the two buffers, which it shares with the runs of its segment. */
    private int indexBytes;

    private int filterBytes;

    private RunIndex(
            int firstKeyGroup,
            int slotCount,
            int[] searched,
            ByteBuffer firstOrderKeys,
            int keysAt,
            PagePlaces places,
            ByteBuffer filterWords) {
        this.firstKeyGroup = firstKeyGroup;
        this.searched = searched;
        this.slots = new long[slotCount * SLOT_LONGS];
        this.firstOrderKeys = firstOrderKeys;
        this.keysAt = keysAt;
        this.places = places;
        this.filterWords = filterWords;
    }

    /** Returns the memory that the indexes of some key groups of a run take. */
    static long indexBytes(SegmentHeader header, List<KeyGroupEntry> entries) {
        int pages = pages(entries);
        long bytes = (long) pages * Long.BYTES + PagePlaces.bytes(pages, header);
        return (bytes + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
    }

    private static int pages(List<KeyGroupEntry> entries) {
        return Math.toIntExact(entries.stream().mapToLong(KeyGroupEntry::pages).sum());
    }

    /** Returns the bytes that the filters of some key groups of a run take. */
    static long filterBytes(List<KeyGroupEntry> entries) {
        return entries.stream().mapToLong(KeyGroupEntry::filterBytes).sum();
    }

    /**
     * Reads and verifies index and filters of some key groups, which follow each other.
     *
     * @param index the buffer of the segment's indexes; at its position this run's begin, and end
     *     at the position that it has afterwards
     * @param filters as {@code index}, or null when there is no memory for filters
     */
    static RunIndex load(
            StorageInput input,
            SegmentHeader header,
            List<KeyGroupEntry> entries,
            ByteBuffer index,
            ByteBuffer filters)
            throws IOException {
        if (entries.isEmpty()) {
            return EMPTY;
        }
        KeyGroupEntry first = entries.get(0);
        KeyGroupEntry last = entries.get(entries.size() - 1);
        int between = last.keyGroup() - first.keyGroup() + 1;
        int pages = pages(entries);
        int keysAt = index.position();
        PagePlaces places = new PagePlaces(index, keysAt + pages * Long.BYTES, pages, header);
        boolean sparse = between / SPARSE > entries.size();
        RunIndex loaded =
                new RunIndex(
                        first.keyGroup(),
                        sparse ? entries.size() : between,
                        sparse
                                ? entries.stream().mapToInt(KeyGroupEntry::keyGroup).toArray()
                                : null,
                        index,
                        keysAt,
                        places,
                        filters);
        long indexBytes = last.indexOffset() + last.indexBytes() - first.indexOffset();
        loaded.fillIndex(entries, new AreaReader(input, first.indexOffset(), indexBytes));
        loaded.indexBytes = (int) indexBytes(header, entries);
        index.position(keysAt + loaded.indexBytes);
        if (filters != null) {
            loaded.fillFilters(
                    entries,
                    new AreaReader(input, first.filterOffset(), filterBytes(entries)),
                    filters);
        }
        return loaded;
    }

    private void fillIndex(List<KeyGroupEntry> entries, AreaReader area) throws IOException {
        int page = 0;
        for (KeyGroupEntry entry : entries) {
            int slot = position(entry.keyGroup()) * SLOT_LONGS;
            slots[slot + PAGES] = ((long) page << 32) | entry.pages();
            area.read(firstOrderKeys, keysAt + page * Long.BYTES, entry.pages() * Long.BYTES);
            places.read(entry, page, area);
            area.verify("index of key group " + entry.keyGroup(), entry.indexChecksum());
            places.requireEnd(entry, page, area);
            page += entry.pages();
        }
    }

    private void fillFilters(List<KeyGroupEntry> entries, AreaReader area, ByteBuffer target)
            throws IOException {
        int start = target.position();
        int at = start;
        for (KeyGroupEntry entry : entries) {
            slots[position(entry.keyGroup()) * SLOT_LONGS + FILTER] =
                    ((long) at << 32) | entry.filterBlocks();
            int bytes = (int) entry.filterBytes();
            area.read(target, at, bytes);
            area.verify("filter of key group " + entry.keyGroup(), entry.filterChecksum());
            at += bytes;
        }
        target.position(at);
        filterBytes = at - start;
    }

    long metadataBytes() {
        return slotBytes() + indexBytes + filterBytes;
    }

    /** Returns the bytes of the filters in memory, 0 when there was none for them. */
    long filterBytes() {
        return filterBytes;
    }

    /** Returns about how much heap this takes. */
    long heapBytes() {
        return slotBytes() + OBJECT_BYTES;
    }

    private long slotBytes() {
        return (long) slots.length * Long.BYTES
                + (searched == null ? 0 : (long) searched.length * Integer.BYTES);
    }

    /** Returns the slot of a key group, or -1 when it has no records. */
    int slot(int keyGroup) {
        long slot = (long) position(keyGroup) * SLOT_LONGS;
        return slot >= 0 && slot < slots.length && slots[(int) slot + PAGES] != 0 ? (int) slot : -1;
    }

    /** Returns which of the slots is the key group's; out of range when it has none. */
    private int position(int keyGroup) {
        return searched == null
                ? keyGroup - firstKeyGroup
                : Arrays.binarySearch(searched, keyGroup);
    }

    /** Returns the position of the key group's first page. */
    int firstPage(int slot) {
        return (int) (slots[slot + PAGES] >>> 32);
    }

    int pages(int slot) {
        return (int) slots[slot + PAGES];
    }

    /** Returns the first order key of the page at a position. */
    long firstOrderKey(int page) {
        return firstOrderKeys.getLong(keysAt + (page << 3));
    }

    /** Asks a source for the page at a position. */
    void show(Segment segment, int page, PageSource pages, PageView out) throws IOException {
        pages.page(
                segment, places.offset(page), places.storedBytes(page), places.length(page), out);
    }

    /** Returns where the page at a position begins in the file. */
    long pageOffset(int page) {
        return places.offset(page);
    }

    /** Returns the bytes that the page at a position takes in the file. */
    int storedBytes(int page) {
        return places.storedBytes(page);
    }

    /** Asks the filter for a hash made by {@link FilterDescriptor}. */
    boolean mayContain(int slot, long hash) {
        long filter = slots[slot + FILTER];
        return filterWords == null
                || BlockedFilter.mayContain(filterWords, (int) (filter >>> 32), (int) filter, hash);
    }

    /**
     * Returns the position of the key group's last page whose first order key is at most {@code
     * orderKey}, or the one before its first page when there is none.
     *
     * <p>Order keys are spread evenly, so the key itself tells about where to look; one correction
     * by the distance found there lands within a page or two. From there steps double until they
     * have passed it, and halve again: that also finds it quickly where keys cluster, as the groups
     * of grouped runs do.
     */
    int floor(int slot, long orderKey) {
        int first = firstPage(slot);
        int pages = pages(slot);
        int end = first + pages;
        int at = first + (int) multiplyHighUnsigned(orderKey, pages);
        if (pages > 16) {
            long distance = Math.multiplyHigh(orderKey - firstOrderKey(at), (long) pages);
            at = (int) Math.max(first, Math.min(end - 1L, at + distance));
        }
        return Long.compareUnsigned(firstOrderKey(at), orderKey) <= 0
                ? floorFrom(at, end, orderKey)
                : floorBelow(first, at, orderKey);
    }

    /** Finds the floor from a page that is at most {@code orderKey} on, upwards. */
    private int floorFrom(int start, int end, long orderKey) {
        int low = start;
        int step = 1;
        while (low + step < end && Long.compareUnsigned(firstOrderKey(low + step), orderKey) <= 0) {
            low += step;
            step <<= 1;
        }
        return floorBetween(low, Math.min(end, low + step), orderKey);
    }

    /** Finds the floor below a page that is above {@code orderKey}. */
    private int floorBelow(int first, int start, long orderKey) {
        int high = start;
        int step = 1;
        while (high - step >= first
                && Long.compareUnsigned(firstOrderKey(high - step), orderKey) > 0) {
            high -= step;
            step <<= 1;
        }
        return floorBetween(Math.max(first - 1, high - step), high, orderKey);
    }

    /** Halves: {@code low} is at most the key or before the first page, {@code high} is above. */
    private int floorBetween(int lowest, int highest, long orderKey) {
        int low = lowest;
        int high = highest;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(firstOrderKey(middle), orderKey) <= 0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Returns the position of the first page whose first order key is at least {@code orderKey}.
     */
    int ceiling(int slot, long orderKey) {
        return orderKey == 0 ? firstPage(slot) : floor(slot, orderKey - 1) + 1;
    }

    private static long multiplyHighUnsigned(long a, long positive) {
        return Math.multiplyHigh(a, positive) + ((a >> 63) & positive);
    }
}
