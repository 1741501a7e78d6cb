/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.segment.PageSource;
import io.strata.flink.segment.RunCursor;
import io.strata.flink.segment.RunView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Goes through several runs of one state in order, as if they were one run: every key once, with
 * what its records together say (I5).
 *
 * <p>Of a key, the newest record counts, and when that is an APPEND, the older ones too, down to
 * the first PUT or DELETE. What it shows is
 *
 * <ul>
 *   <li>a PUT: the whole value is known, whatever older runs hold;
 *   <li>a DELETE: the key is absent, whatever older runs hold;
 *   <li>an APPEND: only the end of the value is known.
 * </ul>
 *
 * <p>Values are joined oldest first with one delimiter byte between them, as Flink's list format
 * has it. What older schemas wrote is converted part by part, so that every value shown is of the
 * present one. Belongs to one thread; what it shows is valid until the next {@link #next}. Holds no
 * handle, but the segments must stay retained while it is used.
 */
public final class MergeCursor {

    /** Not a key group: the input has ended. */
    private static final int ENDED = Integer.MAX_VALUE;

    private static final ByteSlice NO_VALUE = new ByteSlice();

    /** The inputs, newest first; the arrays below are parallel to it. */
    private final MergePart[] inputs;

    private final int[] keyGroups;

    /** Order keys with the sign bit flipped, so that signed comparison orders them. */
    private final long[] sortKeys;

    private final JoinedValue joined;

    /** The inputs that stand on the key shown, newest first. */
    private final int[] matching;

    private int matchingCount;
    private RecordKind kind;

    /** How many of {@link #matching} make the value; 1 or more are joined. */
    private int parts;

    private boolean started;

    private MergeCursor(List<MergePart> newestFirst, byte appendDelimiter) {
        int count = newestFirst.size();
        inputs = newestFirst.toArray(new MergePart[0]);
        keyGroups = new int[count];
        sortKeys = new long[count];
        matching = new int[count];
        joined = new JoinedValue(count, appendDelimiter);
    }

    /**
     * Returns a cursor before the first of all visible records of the span.
     *
     * @param newestFirst runs of one state, neighbours in age
     * @param appendDelimiter the byte between two joined values
     * @param converters for the values that an older schema wrote
     * @param pages called for each run, perhaps again; may give the same cache each time
     */
    public static MergeCursor scan(
            List<RunView> newestFirst,
            KeyGroupSpan span,
            byte appendDelimiter,
            ValueConverters converters,
            Function<? super RunView, ? extends PageSource> pages) {
        List<MergePart> parts = new ArrayList<>(newestFirst.size());
        for (RunView view : newestFirst) {
            RunCursor cursor = view.scan(span, pages.apply(view));
            parts.add(part(view, cursor, appendDelimiter, converters, pages));
        }
        return new MergeCursor(parts, appendDelimiter);
    }

    /**
     * Returns a cursor before the first record of a key group whose order key is at least {@code
     * fromOrderKey} (unsigned); it ends with the key group.
     */
    public static MergeCursor seek(
            List<RunView> newestFirst,
            int keyGroup,
            long fromOrderKey,
            byte appendDelimiter,
            ValueConverters converters,
            Function<? super RunView, ? extends PageSource> pages) {
        List<MergePart> parts = new ArrayList<>(newestFirst.size());
        for (RunView view : newestFirst) {
            RunCursor cursor = view.seek(keyGroup, fromOrderKey, pages.apply(view));
            parts.add(part(view, cursor, appendDelimiter, converters, pages));
        }
        return new MergeCursor(parts, appendDelimiter);
    }

    private static MergePart part(
            RunView view,
            RunCursor cursor,
            byte appendDelimiter,
            ValueConverters converters,
            Function<? super RunView, ? extends PageSource> pages) {
        return new MergePart(
                view,
                cursor,
                converters,
                appendDelimiter,
                shown -> reopen(view, shown, pages.apply(view)));
    }

    private static RunCursor reopen(RunView view, RunCursor shown, PageSource pages)
            throws IOException {
        RunCursor other = view.seek(shown.keyGroup(), shown.orderKey(), pages);
        while (other.next()) {
            if (other.key().contentEquals(shown.key())) {
                return other;
            }
        }
        throw new IOException("a record was not met again in " + view.run().spec());
    }

    /**
     * Moves to the next key.
     *
     * @return false when there is none
     */
    public boolean next() throws IOException {
        advanceMatching();
        if (!findLeast()) {
            return false;
        }
        resolve();
        return true;
    }

    public int keyGroup() {
        return keyGroups[matching[0]];
    }

    public long orderKey() {
        return sortKeys[matching[0]] ^ Long.MIN_VALUE;
    }

    public RecordKind kind() {
        return kind;
    }

    /** Returns the composite key including its key-group prefix. */
    public ByteSlice key() {
        return inputs[matching[0]].cursor().key();
    }

    /** Returns the length of the whole value, delimiters included; 0 for a DELETE. */
    public long valueBytes() throws IOException {
        if (parts == 1) {
            return inputs[matching[0]].valueBytes();
        }
        return parts == 0 ? 0 : joined.valueBytes();
    }

    /**
     * Returns the whole value; not to be mixed with {@link #readValue} for one key.
     *
     * @throws IOException when it cannot be read, or is too large for an array
     */
    public ByteSlice value() throws IOException {
        if (parts == 1) {
            return inputs[matching[0]].value();
        }
        return parts == 0 ? NO_VALUE : joined.value();
    }

    /**
     * Reads on in the value, from its beginning at the first call.
     *
     * @return the number of bytes read, at least 1 when {@code length} is, or -1 at the end
     */
    public int readValue(byte[] target, int offset, int length) throws IOException {
        if (parts == 1) {
            return inputs[matching[0]].readValue(target, offset, length);
        }
        return parts == 0 ? -1 : joined.read(target, offset, length);
    }

    /** Moves the inputs past the key shown; at the start, all of them to their first record. */
    private void advanceMatching() throws IOException {
        if (!started) {
            started = true;
            for (int i = 0; i < inputs.length; i++) {
                matching[i] = i;
            }
            matchingCount = inputs.length;
        }
        for (int i = 0; i < matchingCount; i++) {
            int input = matching[i];
            RunCursor cursor = inputs[input].cursor();
            if (inputs[input].next()) {
                keyGroups[input] = cursor.keyGroup();
                sortKeys[input] = cursor.orderKey() ^ Long.MIN_VALUE;
            } else {
                keyGroups[input] = ENDED;
                sortKeys[input] = Long.MAX_VALUE;
            }
        }
        matchingCount = 0;
    }

    /**
     * Collects the inputs that stand on the least key. There are few inputs, so looking at each is
     * cheaper than a tree; keys are compared only where order keys are equal.
     */
    private boolean findLeast() {
        int leastGroup = ENDED;
        long leastSortKey = Long.MAX_VALUE;
        int count = 0;
        for (int i = 0; i < inputs.length; i++) {
            int group = keyGroups[i];
            long sortKey = sortKeys[i];
            if (group > leastGroup || (group == leastGroup && sortKey > leastSortKey)) {
                continue;
            }
            if (group < leastGroup || sortKey < leastSortKey) {
                leastGroup = group;
                leastSortKey = sortKey;
                count = 0;
            }
            matching[count++] = i;
        }
        if (leastGroup == ENDED) {
            return false;
        }
        matchingCount = count == 1 ? 1 : keepLeastKeys(count);
        return true;
    }

    /** Of the inputs with the least order key, keeps those with the least key, in their order. */
    private int keepLeastKeys(int count) {
        int kept = 1;
        for (int i = 1; i < count; i++) {
            ByteSlice least = inputs[matching[0]].cursor().key();
            int order = ByteSlice.compareUnsigned(inputs[matching[i]].cursor().key(), least);
            if (order < 0) {
                matching[0] = matching[i];
                kept = 1;
            } else if (order == 0) {
                matching[kept++] = matching[i];
            }
        }
        return kept;
    }

    /** Finds out what the records of the key together say. */
    private void resolve() {
        kind = inputs[matching[0]].cursor().kind();
        parts = kind == RecordKind.DELETE ? 0 : 1;
        if (kind != RecordKind.APPEND || matchingCount == 1) {
            return;
        }
        for (int i = 1; i < matchingCount && kind == RecordKind.APPEND; i++) {
            RecordKind older = inputs[matching[i]].cursor().kind();
            if (older != RecordKind.DELETE) {
                parts++;
            }
            if (older != RecordKind.APPEND) {
                kind = RecordKind.PUT;
            }
        }
        if (parts > 1) {
            joined.begin();
            for (int i = parts - 1; i >= 0; i--) {
                joined.add(inputs[matching[i]]);
            }
        }
    }
}
