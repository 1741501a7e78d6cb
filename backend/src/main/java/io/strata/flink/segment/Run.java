/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RunSpec;
import java.io.IOException;

/**
 * One run of one open segment: the records of one state, as far as their key groups are present in
 * the file.
 *
 * <p>Immutable; any thread may use it that brings its own {@link PageSource} and has the segment
 * retained. Counts, sizes and TTL bounds are of the present key groups. A run none of whose key
 * groups is present has no records and {@code lastKeyGroup() < firstKeyGroup()}.
 */
public final class Run {

    private Run() {}

    public Segment segment() {
        throw new UnsupportedOperationException();
    }

    public RunSpec spec() {
        throw new UnsupportedOperationException();
    }

    /** Returns the position among the runs of the segment. */
    public int ordinal() {
        throw new UnsupportedOperationException();
    }

    /** Returns the number of records, tombstones included. */
    public long records() {
        throw new UnsupportedOperationException();
    }

    /** Returns the number of DELETE records. */
    public long tombstones() {
        throw new UnsupportedOperationException();
    }

    /** Returns the bytes of all pages. */
    public long dataBytes() {
        throw new UnsupportedOperationException();
    }

    /** Returns the bytes of memory that index and filters take. */
    public long metadataBytes() {
        throw new UnsupportedOperationException();
    }

    /** Returns the lowest key group that has records, 0 when there is none. */
    public int firstKeyGroup() {
        throw new UnsupportedOperationException();
    }

    /** Returns the highest key group that has records, -1 when there is none. */
    public int lastKeyGroup() {
        throw new UnsupportedOperationException();
    }

    /** Returns the smallest TTL timestamp, {@link SegmentWriter#NO_TTL} when there is none. */
    public long minTtl() {
        throw new UnsupportedOperationException();
    }

    /**
     * Returns the largest TTL timestamp, {@link SegmentWriter#NO_TTL} when some record never
     * expires or all are tombstones.
     */
    public long maxTtl() {
        throw new UnsupportedOperationException();
    }

    /** Returns the number of records in one key group. */
    public long records(int keyGroup) {
        throw new UnsupportedOperationException();
    }

    /** Returns false when no record of the key group has this order key; reads memory only. */
    public boolean mayContain(int keyGroup, long orderKey) {
        throw new UnsupportedOperationException();
    }

    /**
     * Returns false when no record of the key group has this group hash; reads memory only. Always
     * answers true for a run that is not grouped and has the key group.
     */
    public boolean mayContainGroup(int keyGroup, int groupHash) {
        throw new UnsupportedOperationException();
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
        throw new UnsupportedOperationException();
    }

    /** Returns a cursor before the first of all records of the span, in order. */
    public RunCursor scan(KeyGroupSpan span, PageSource pages) {
        throw new UnsupportedOperationException();
    }

    /**
     * Returns a cursor before the first record of the key group whose order key is at least {@code
     * fromOrderKey} (unsigned); it ends with the key group.
     */
    public RunCursor seek(int keyGroup, long fromOrderKey, PageSource pages) {
        throw new UnsupportedOperationException();
    }
}
