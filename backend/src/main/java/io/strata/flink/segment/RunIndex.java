/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.segment.BlockedFilter;
import io.strata.flink.format.segment.FilterDescriptor;
import io.strata.flink.format.segment.KeyGroupEntry;
import io.strata.flink.io.StorageInput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * What a run keeps in memory: for each key group where its pages are, the first order key of each
 * page, and the filter.
 *
 * <p>Immutable. Key groups are addressed by {@link #slot}; a page by its position in one array of
 * all key groups' pages. Where most key groups have records, a key group's slot follows from its
 * number; else slots are of the key groups with records only, and are searched: memory goes with
 * the records, not with the number of key groups.
 */
final class RunIndex {

    static final RunIndex EMPTY = new RunIndex(0, 0, null, 0, 0);

    /** Slots are searched when so many times as many key groups lie between first and last. */
    private static final int SPARSE = 2;

    /** The longs of one slot: they share a cache line. */
    private static final int SLOT_LONGS = 4;

    private static final int DATA_OFFSET = 0;
    private static final int DATA_BYTES = 1;
    private static final int PAGES = 2;
    private static final int FILTER = 3;

    private final int firstKeyGroup;

    /** The key groups with records, ascending; null when slots are not searched. */
    private final int[] searched;

    private final long[] slots;
    private final long[] firstOrderKeys;
    private final int[] filters;

    private RunIndex(int firstKeyGroup, int slotCount, int[] searched, int pages, int filterWords) {
        this.firstKeyGroup = firstKeyGroup;
        this.searched = searched;
        this.slots = new long[slotCount * SLOT_LONGS];
        this.firstOrderKeys = new long[pages];
        this.filters = new int[filterWords];
    }

    /** Reads and verifies index and filters of some key groups, which follow each other. */
    static RunIndex load(StorageInput input, List<KeyGroupEntry> entries) throws IOException {
        if (entries.isEmpty()) {
            return EMPTY;
        }
        KeyGroupEntry first = entries.get(0);
        KeyGroupEntry last = entries.get(entries.size() - 1);
        long indexBytes = last.indexOffset() + last.indexBytes() - first.indexOffset();
        long filterBytes = last.filterOffset() + last.filterBytes() - first.filterOffset();
        int between = last.keyGroup() - first.keyGroup() + 1;
        boolean sparse = between / SPARSE > entries.size();
        RunIndex index =
                new RunIndex(
                        first.keyGroup(),
                        sparse ? entries.size() : between,
                        sparse
                                ? entries.stream().mapToInt(KeyGroupEntry::keyGroup).toArray()
                                : null,
                        Math.toIntExact(indexBytes / Long.BYTES),
                        Math.toIntExact(filterBytes / Integer.BYTES));
        index.fill(
                entries,
                new AreaReader(input, first.indexOffset(), indexBytes),
                new AreaReader(input, first.filterOffset(), filterBytes));
        return index;
    }

    private void fill(List<KeyGroupEntry> entries, AreaReader indexArea, AreaReader filterArea)
            throws IOException {
        int page = 0;
        int word = 0;
        for (KeyGroupEntry entry : entries) {
            int slot = position(entry.keyGroup()) * SLOT_LONGS;
            slots[slot + DATA_OFFSET] = entry.dataOffset();
            slots[slot + DATA_BYTES] = entry.dataBytes();
            slots[slot + PAGES] = ((long) page << 32) | entry.pages();
            slots[slot + FILTER] = ((long) word << 32) | entry.filterBlocks();
            String of = " of key group " + entry.keyGroup();
            indexArea.readLongs(
                    firstOrderKeys, page, entry.pages(), "index" + of, entry.indexChecksum());
            int words = entry.filterBlocks() * FilterDescriptor.BLOCK_WORDS;
            filterArea.readInts(filters, word, words, "filter" + of, entry.filterChecksum());
            page += entry.pages();
            word += words;
        }
    }

    long metadataBytes() {
        return (long) slots.length * Long.BYTES
                + (searched == null ? 0 : (long) searched.length * Integer.BYTES)
                + (long) firstOrderKeys.length * Long.BYTES
                + (long) filters.length * Integer.BYTES;
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

    long dataOffset(int slot) {
        return slots[slot + DATA_OFFSET];
    }

    long dataBytes(int slot) {
        return slots[slot + DATA_BYTES];
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
        return firstOrderKeys[page];
    }

    /** Asks the filter for a hash made by {@link FilterDescriptor}. */
    boolean mayContain(int slot, long hash) {
        long filter = slots[slot + FILTER];
        return BlockedFilter.mayContain(filters, (int) (filter >>> 32), (int) filter, hash);
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
            long distance = Math.multiplyHigh(orderKey - firstOrderKeys[at], (long) pages);
            at = (int) Math.max(first, Math.min(end - 1L, at + distance));
        }
        return Long.compareUnsigned(firstOrderKeys[at], orderKey) <= 0
                ? floorFrom(at, end, orderKey)
                : floorBelow(first, at, orderKey);
    }

    /** Finds the floor from a page that is at most {@code orderKey} on, upwards. */
    private int floorFrom(int start, int end, long orderKey) {
        int low = start;
        int step = 1;
        while (low + step < end
                && Long.compareUnsigned(firstOrderKeys[low + step], orderKey) <= 0) {
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
                && Long.compareUnsigned(firstOrderKeys[high - step], orderKey) > 0) {
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
            if (Long.compareUnsigned(firstOrderKeys[middle], orderKey) <= 0) {
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
