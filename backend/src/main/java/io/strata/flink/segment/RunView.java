/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.KeyGroupSpan;
import java.io.IOException;

/**
 * A run as one backend sees it: after a rescale, several backends or several clips refer to the
 * same file.
 *
 * @param run the run
 * @param clip the only key groups that are visible
 */
public record RunView(Run run, KeyGroupSpan clip) {

    /** Returns true when the key group is visible and the run may have the order key in it. */
    public boolean mayContain(int keyGroup, long orderKey) {
        return clip.contains(keyGroup) && run.mayContain(keyGroup, orderKey);
    }

    /** Hears of the records of a {@link #sample}. */
    @FunctionalInterface
    public interface SampleVisitor {
        /** Takes note of one record. */
        void visit(int keyGroup, long orderKey);
    }

    /**
     * Shows some visible records, the first ones of pages at equal distances; reads memory only.
     *
     * @param most how many about; as many as there are pages if these are fewer
     */
    public void sample(int most, SampleVisitor visitor) {
        run.sample(clip, most, visitor);
    }

    /** Returns true when the key group is visible and the run may have the group in it. */
    public boolean mayContainGroup(int keyGroup, int groupHash) {
        return clip.contains(keyGroup) && run.mayContainGroup(keyGroup, groupHash);
    }

    /** Looks one key up; see {@link Run#find}. */
    public boolean find(
            int keyGroup, long orderKey, ByteSlice key, PageSource pages, FoundRecord out)
            throws IOException {
        return clip.contains(keyGroup) && run.find(keyGroup, orderKey, key, pages, out);
    }

    /** Returns a cursor over the visible records of the span; see {@link Run#scan}. */
    public RunCursor scan(KeyGroupSpan span, PageSource pages) {
        KeyGroupSpan visible = clip.intersection(span);
        return visible == null ? RunCursor.empty(run) : run.scan(visible, pages);
    }

    /** Returns a cursor into one key group, empty when it is not visible; see {@link Run#seek}. */
    public RunCursor seek(int keyGroup, long fromOrderKey, PageSource pages) {
        return clip.contains(keyGroup)
                ? run.seek(keyGroup, fromOrderKey, pages)
                : RunCursor.empty(run);
    }

    /** Returns sums over the visible key groups. */
    public RunTotals totals() {
        return run.totals(clip);
    }

    /** Returns the number of visible records, tombstones included. */
    public long records() {
        return totals().records();
    }

    /** Returns the number of visible DELETE records. */
    public long tombstones() {
        return totals().tombstones();
    }

    /** Returns the bytes of the visible pages. */
    public long dataBytes() {
        return totals().dataBytes();
    }
}
