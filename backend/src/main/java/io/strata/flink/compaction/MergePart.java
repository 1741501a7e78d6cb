/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.segment.RunCursor;
import io.strata.flink.segment.RunView;
import java.io.IOException;

/**
 * What one input of a merge says about the present key, its value in the present schema.
 *
 * <p>Values of an older schema are converted when they are asked for, once a record: who only wants
 * keys pays nothing. Lists larger than {@value #STREAM_BYTES} bytes are converted as a stream.
 */
final class MergePart {

    /** Larger lists are not converted in memory. */
    static final int STREAM_BYTES = 1 << 22;

    /** Opens another cursor on the record that the given one shows. */
    @FunctionalInterface
    interface Reopener {
        RunCursor reopen(RunCursor cursor) throws IOException;
    }

    private final RunCursor cursor;
    private final long schemaId;
    private final ValueConverters converters;
    private final byte delimiter;
    private final Reopener reopener;

    private final ByteSlice scratch = new ByteSlice();

    /** The converted value, once {@link #opened}. */
    private final ByteSlice whole = new ByteSlice();

    /** Instead of {@link #whole}, for a value that is not converted in memory. */
    private ConvertedStream stream;

    private boolean opened;

    /** Whether the value, once opened, is the cursor's own. */
    private boolean unchanged;

    private int read;

    /**
     * Creates it before the first record.
     *
     * @param delimiter stands between the elements of a list
     */
    MergePart(
            RunView view,
            RunCursor cursor,
            ValueConverters converters,
            byte delimiter,
            Reopener reopener) {
        this.cursor = cursor;
        this.schemaId = view.run().spec().schemaId();
        this.converters = converters;
        this.delimiter = delimiter;
        this.reopener = reopener;
    }

    RunCursor cursor() {
        return cursor;
    }

    /** Moves to the next record; false when there is none. */
    boolean next() throws IOException {
        opened = false;
        stream = null;
        read = 0;
        return cursor.next();
    }

    long valueBytes() throws IOException {
        open();
        if (unchanged) {
            return cursor.valueBytes();
        }
        return stream == null ? whole.length : stream.length();
    }

    /** Returns the whole value, valid until the next record; not to be mixed with reading on. */
    ByteSlice value() throws IOException {
        open();
        if (unchanged) {
            return cursor.value();
        }
        if (stream != null) {
            stream.readAll(whole);
            stream = null;
        }
        return whole;
    }

    /** Reads on in the value; -1 at its end. */
    int readValue(byte[] target, int offset, int length) throws IOException {
        open();
        if (unchanged) {
            return cursor.readValue(target, offset, length);
        }
        if (stream != null) {
            return stream.read(target, offset, length);
        }
        int count = Math.min(length, whole.length - read);
        if (count == 0 && length > 0) {
            return -1;
        }
        System.arraycopy(whole.bytes, whole.offset + read, target, offset, count);
        read += count;
        return count;
    }

    private void open() throws IOException {
        if (opened) {
            return;
        }
        ValueConverter converter = converters.from(schemaId);
        unchanged = converter == null;
        if (unchanged) {
            opened = true;
            return;
        }
        if (converter instanceof ElementConverter elements && cursor.valueBytes() > STREAM_BYTES) {
            RunCursor counted = reopener.reopen(cursor);
            long length = new ConvertedStream(counted, elements, delimiter).countBytes();
            stream = new ConvertedStream(cursor, elements, delimiter, length);
        } else {
            converter.convert(cursor.value(), scratch);
            keep();
        }
        opened = true;
    }

    /** Other parts of the value may use the same converter, so its result is copied. */
    private void keep() {
        if (whole.bytes.length < scratch.length) {
            whole.bytes = new byte[scratch.length + scratch.length / 2];
        }
        System.arraycopy(scratch.bytes, scratch.offset, whole.bytes, 0, scratch.length);
        whole.set(whole.bytes, 0, scratch.length);
    }
}
