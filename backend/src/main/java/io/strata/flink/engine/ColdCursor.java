/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.MergeCursor;
import io.strata.flink.compaction.ValueConverters;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.segment.PageSource;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * A walk over what the runs of one table hold, in record order, while they may be replaced by
 * others. Task thread only; holds no reference.
 *
 * <p>A record's place in the order never changes. So whenever the table has got another set of
 * runs, the walk opens that and goes on behind the last key it met: each key that is there
 * throughout is met exactly once.
 */
final class ColdCursor {

    private final TableRuns runs;
    private final KeyGroupSpan span;
    private final ValueConverters converters;
    private final Supplier<? extends PageSource> pages;

    /** The set of runs that {@link #merge} reads; null before the first use. */
    private RunSet opened;

    private MergeCursor merge;

    /** Where to go on after {@link #merge} is exhausted; beyond the span when nowhere. */
    private int nextKeyGroup;

    private boolean started;
    private int keyGroup;
    private long orderKey;
    private final ByteSlice key = new ByteSlice();

    /** Walks over all key groups of the span. */
    ColdCursor(
            TableRuns runs,
            KeyGroupSpan span,
            ValueConverters converters,
            Supplier<? extends PageSource> pages) {
        this.runs = runs;
        this.span = span;
        this.converters = converters;
        this.pages = pages;
    }

    /**
     * Walks over one key group from an order key on.
     *
     * @param fromOrderKey the smallest order key to meet (unsigned)
     */
    static ColdCursor within(
            TableRuns runs,
            int keyGroup,
            long fromOrderKey,
            ValueConverters converters,
            Supplier<? extends PageSource> pages) {
        KeyGroupSpan span = new KeyGroupSpan(keyGroup, keyGroup);
        ColdCursor cursor = new ColdCursor(runs, span, converters, pages);
        cursor.keyGroup = keyGroup;
        cursor.orderKey = fromOrderKey;
        cursor.started = true;
        return cursor;
    }

    /** Moves to the next key that has a value; false at the end. */
    boolean next() throws IOException {
        if (opened != runs.current()) {
            reopen();
        }
        while (true) {
            while (merge.next()) {
                if (isBehindLast() && merge.kind() != RecordKind.DELETE) {
                    remember();
                    return true;
                }
            }
            if (nextKeyGroup > span.last()) {
                return false;
            }
            merge = scan(new KeyGroupSpan(nextKeyGroup, span.last()));
            nextKeyGroup = span.last() + 1;
        }
    }

    private void reopen() {
        opened = runs.current();
        if (started) {
            merge =
                    MergeCursor.seek(
                            opened.newestFirst(),
                            keyGroup,
                            orderKey,
                            ListTable.DELIMITER,
                            converters,
                            view -> pages.get());
            nextKeyGroup = keyGroup + 1;
        } else {
            merge = scan(span);
            nextKeyGroup = span.last() + 1;
        }
    }

    private MergeCursor scan(KeyGroupSpan part) {
        return MergeCursor.scan(
                opened.newestFirst(), part, ListTable.DELIMITER, converters, view -> pages.get());
    }

    /** After a reopening the walk meets once more what it met before, or part of it. */
    private boolean isBehindLast() {
        if (!started || merge.keyGroup() != keyGroup) {
            return true;
        }
        int byOrderKey = Long.compareUnsigned(merge.orderKey(), orderKey);
        return byOrderKey > 0
                || (byOrderKey == 0 && ByteSlice.compareUnsigned(merge.key(), key) > 0);
    }

    private void remember() {
        started = true;
        keyGroup = merge.keyGroup();
        orderKey = merge.orderKey();
        ByteSlice met = merge.key();
        if (key.bytes.length < met.length) {
            key.set(new byte[met.length * 2], 0, 0);
        }
        System.arraycopy(met.bytes, met.offset, key.bytes, 0, met.length);
        key.set(key.bytes, 0, met.length);
    }

    int keyGroup() {
        return keyGroup;
    }

    long orderKey() {
        return orderKey;
    }

    /** Returns the composite key, valid until the next move. */
    ByteSlice key() {
        return key;
    }

    /** Returns the value, valid until the next move and only as long as the runs stay the same. */
    ByteSlice value() throws IOException {
        return merge.value();
    }
}
