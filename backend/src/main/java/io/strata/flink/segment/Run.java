/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.FilterDescriptor;
import io.strata.flink.format.segment.FooterDescriptor;
import io.strata.flink.format.segment.KeyGroupEntry;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RunDirectory;
import io.strata.flink.format.segment.RunSpec;
import java.io.IOException;
import java.util.List;

/**
 * One run of one open segment: the records of one state, as far as their key groups are present in
 * the file.
 *
 * <p>Immutable; any thread may use it that brings its own {@link PageSource} and has the segment
 * retained. Counts, sizes and TTL bounds are of the present key groups. A run none of whose key
 * groups is present has no records and {@code lastKeyGroup() < firstKeyGroup()}.
 */
public final class Run {

    /** Run, totals, spec, view, and its part of the segment. */
    private static final int OBJECTS_BYTES = 384;

    /** A {@link KeyGroupEntry} and the references to it. */
    private static final int ENTRY_BYTES = 120;

    private final Segment segment;
    private final int ordinal;
    private final RunSpec spec;
    private final List<KeyGroupEntry> entries;
    private final RunIndex index;
    private final RunTotals totals;
    private final long fileBytes;

    Run(Segment segment, int ordinal, RunDirectory directory, RunIndex index) {
        this.segment = segment;
        this.ordinal = ordinal;
        this.spec = directory.spec();
        this.entries = directory.within(segment.present());
        this.index = index;
        this.totals = RunTotals.of(entries, KeyGroupSpan.ALL);
        this.fileBytes = fileBytes(entries);
    }

    /** Returns the segment that this run is a part of. */
    public Segment segment() {
        return segment;
    }

    /** Returns what the run is of. */
    public RunSpec spec() {
        return spec;
    }

    /** Returns the position among the runs of the segment. */
    public int ordinal() {
        return ordinal;
    }

    /** Returns what the run keeps in memory. */
    RunIndex index() {
        return index;
    }

    /** Returns the number of records, tombstones included. */
    public long records() {
        return totals.records();
    }

    /** Returns the number of DELETE records. */
    public long tombstones() {
        return totals.tombstones();
    }

    /** Returns the bytes of all pages. */
    public long dataBytes() {
        return totals.dataBytes();
    }

    /** Returns the bytes of the file that are there for this run. */
    public long fileBytes() {
        return fileBytes;
    }

    private static long fileBytes(List<KeyGroupEntry> entries) {
        long bytes = entries.isEmpty() ? 0 : FooterDescriptor.RUN_HEADER_BYTES;
        for (KeyGroupEntry entry : entries) {
            bytes +=
                    entry.dataBytes()
                            + entry.indexBytes()
                            + entry.filterBytes()
                            + FooterDescriptor.GROUP_BYTES;
        }
        return bytes;
    }

    /** Returns the bytes of memory that index and filters take. */
    public long metadataBytes() {
        return index.metadataBytes();
    }

    /** Returns the bytes of the filters in memory. */
    public long filterBytes() {
        return index.filterBytes();
    }

    /** Returns about how much heap the run takes as long as it is open. */
    public long heapBytes() {
        return index.heapBytes() + OBJECTS_BYTES + (long) entries.size() * ENTRY_BYTES;
    }

    /** Returns the lowest key group that has records, 0 when there is none. */
    public int firstKeyGroup() {
        return entries.isEmpty() ? 0 : entries.get(0).keyGroup();
    }

    /** Returns the highest key group that has records, -1 when there is none. */
    public int lastKeyGroup() {
        return entries.isEmpty() ? -1 : entries.get(entries.size() - 1).keyGroup();
    }

    /** Returns the smallest TTL timestamp, {@link SegmentWriter#NO_TTL} when there is none. */
    public long minTtl() {
        return totals.minTtl();
    }

    /**
     * Returns the largest TTL timestamp, {@link SegmentWriter#NO_TTL} when some record never
     * expires or all are tombstones.
     */
    public long maxTtl() {
        return totals.maxTtl();
    }

    /** Returns the directory entries of the present key groups, ascending. */
    public List<KeyGroupEntry> keyGroups() {
        return entries;
    }

    /** Returns sums over the present key groups that are within the span. */
    public RunTotals totals(KeyGroupSpan span) {
        boolean all = span.first() <= firstKeyGroup() && lastKeyGroup() <= span.last();
        return all ? totals : RunTotals.of(entries, span);
    }

    /** Shows the first records of some pages; see {@link RunView#sample}. */
    void sample(KeyGroupSpan span, int most, RunView.SampleVisitor visitor) {
        long pages = 0;
        for (KeyGroupEntry entry : entries) {
            pages += span.contains(entry.keyGroup()) ? entry.pages() : 0;
        }
        long step = Math.max(1, pages / most);
        long next = step / 2;
        long before = 0;
        for (KeyGroupEntry entry : entries) {
            if (span.contains(entry.keyGroup())) {
                int first = index.firstPage(index.slot(entry.keyGroup()));
                for (; next < before + entry.pages(); next += step) {
                    int page = first + (int) (next - before);
                    visitor.visit(entry.keyGroup(), index.firstOrderKey(page));
                }
                before += entry.pages();
            }
        }
    }

    /** Returns false when no record of the key group has this order key; reads memory only. */
    public boolean mayContain(int keyGroup, long orderKey) {
        int slot = index.slot(keyGroup);
        return slot >= 0 && index.mayContain(slot, FilterDescriptor.recordHash(orderKey));
    }

    /**
     * Returns false when no record of the key group has this group hash; reads memory only. Always
     * answers true for a run that is not grouped and has the key group.
     */
    public boolean mayContainGroup(int keyGroup, int groupHash) {
        int slot = index.slot(keyGroup);
        return slot >= 0
                && (!spec.grouped()
                        || index.mayContain(slot, FilterDescriptor.groupHash(groupHash)));
    }

    /**
     * Looks one key up: asks the filter, interpolates in the index, and reads one page, or more
     * when order keys collide across pages.
     *
     * @param orderKey the order key of {@code key}
     * @param out holds the record when true is returned, otherwise nothing of use
     * @return false when this run has no record of the key
     */
    public boolean find(
            int keyGroup, long orderKey, ByteSlice key, PageSource pages, FoundRecord out)
            throws IOException {
        int slot = index.slot(keyGroup);
        if (slot < 0 || !index.mayContain(slot, FilterDescriptor.recordHash(orderKey))) {
            return false;
        }
        int first = index.firstPage(slot);
        int page = index.floor(slot, orderKey);
        if (page < first) {
            return false;
        }
        if (index.firstOrderKey(page) != orderKey) {
            return findInPage(slot, page, orderKey, key, pages, out);
        }
        return findAmongEqual(slot, page, orderKey, key, pages, out);
    }

    /**
     * Looks where several pages may hold the order key: those that begin with it, up to {@code
     * lastPage}, and the one before them.
     */
    private boolean findAmongEqual(
            int slot, int lastPage, long orderKey, ByteSlice key, PageSource pages, FoundRecord out)
            throws IOException {
        int first = index.firstPage(slot);
        int firstEqual = lastPage;
        while (firstEqual > first && index.firstOrderKey(firstEqual - 1) == orderKey) {
            firstEqual--;
        }
        for (int page = firstEqual; page <= lastPage; page++) {
            if (findInPage(slot, page, orderKey, key, pages, out)) {
                return true;
            }
        }
        return firstEqual > first && findInPage(slot, firstEqual - 1, orderKey, key, pages, out);
    }

    private boolean findInPage(
            int slot, int page, long orderKey, ByteSlice key, PageSource pages, FoundRecord out)
            throws IOException {
        PageView view = out.page;
        show(page, pages, view);
        int nextPage = page + 1;
        boolean last = nextPage == index.firstPage(slot) + index.pages(slot);
        long high = last ? -1 : index.firstOrderKey(nextPage);
        double fraction = PageSearch.fraction(orderKey, index.firstOrderKey(page), high);
        out.touched ^= PageSearch.touch(view, out.expectedRecords, fraction);
        int records = PageSearch.records(view);
        if (records == 0) {
            return false;
        }
        out.expectedRecords = records;
        int i = PageSearch.lowerBound(view, records, orderKey, fraction);
        int keyAt = PageSearch.orderKeyIndex(view, records, i);
        for (; i < records && view.buffer.getLong(keyAt) == orderKey; i++, keyAt += Long.BYTES) {
            if (matches(slot, page, i, records, key, pages, out)) {
                return true;
            }
        }
        return false;
    }

    /** Compares the i-th of n records of the page on view, and hands it out when it is the one. */
    private boolean matches(
            int slot,
            int page,
            int i,
            int records,
            ByteSlice key,
            PageSource pages,
            FoundRecord out)
            throws IOException {
        PageView view = out.page;
        RecordHead head = out.head;
        int start = PageSearch.recordIndex(view, records, i);
        head.read(view.buffer, start);
        if (head.keyBytes != key.length) {
            return false;
        }
        int end = PageSearch.orderKeyIndex(view, records, 0);
        if (start + head.recordBytes(start) <= end) {
            if (!PageSearch.keyEquals(view.buffer, head.keyIndex, key)) {
                return false;
            }
            out.setInPage(head.kind(segment), key);
            return true;
        }
        return matchesContinued(slot, page, key, pages, out);
    }

    private boolean matchesContinued(
            int slot, int page, ByteSlice key, PageSource pages, FoundRecord out)
            throws IOException {
        RecordHead head = out.head;
        RecordStream stream = out.setStreamed(head.kind(segment), key);
        stream.start(segment, pages, index, slot, page, head.keyIndex - out.page.offset);
        byte[] stored = new byte[key.length];
        stream.readFully(stored, 0, key.length);
        stream.mark();
        return ByteSlice.compareUnsigned(new ByteSlice(stored), key) == 0;
    }

    /** Returns a cursor before the first of all records of the span, in order. */
    public RunCursor scan(KeyGroupSpan span, PageSource pages) {
        return RunCursor.scan(this, index, span, pages);
    }

    /**
     * Returns a cursor before the first record of the key group whose order key is at least {@code
     * fromOrderKey} (unsigned); it ends with the key group.
     */
    public RunCursor seek(int keyGroup, long fromOrderKey, PageSource pages) {
        return RunCursor.seek(this, index, keyGroup, fromOrderKey, pages);
    }

    private void show(int page, PageSource pages, PageView out) throws IOException {
        index.show(segment, page, pages, out);
    }
}
