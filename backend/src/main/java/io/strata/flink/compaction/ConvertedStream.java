/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.segment.RunCursor;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;

/**
 * A list converted while it is read, a window at a time, so that it needs no memory for all of it.
 *
 * <p>A record says how long its value is before the value: so a first stream, over a cursor of its
 * own, is read only to count. Both see the same bytes, and a converter makes the same of them.
 */
final class ConvertedStream {

    private static final int WINDOW_BYTES = 1 << 16;
    private static final long UNKNOWN = -1;

    private final RunCursor source;
    private final ElementConverter elements;
    private final byte delimiter;
    private final long length;

    /** Bytes of the old schema, read ahead. */
    private final ByteSlice window = new ByteSlice(new byte[WINDOW_BYTES], 0, 0);

    /** Old bytes that are not in the window yet. */
    private long sourceLeft;

    /** The last converted element, as far as it was not handed out. */
    private final ByteSlice element = new ByteSlice();

    private boolean isFirst = true;
    private boolean delimiterDue;
    private long produced;

    /** A stream that is only counted. */
    ConvertedStream(RunCursor source, ElementConverter elements, byte delimiter) {
        this(source, elements, delimiter, UNKNOWN);
    }

    /**
     * A stream whose length is known.
     *
     * @param source stands on the record, nothing of whose value was read
     */
    ConvertedStream(RunCursor source, ElementConverter elements, byte delimiter, long length) {
        this.source = source;
        this.elements = elements;
        this.delimiter = delimiter;
        this.length = length;
        this.sourceLeft = source.valueBytes();
    }

    /** Returns the converted length. */
    long length() {
        return length;
    }

    /** Reads to the end and returns how many bytes came. */
    long countBytes() throws IOException {
        while (nextElement()) {
            produced += element.length + (delimiterDue ? 1 : 0);
        }
        return produced;
    }

    /** Reads on; returns -1 at the end. */
    int read(byte[] target, int offset, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        while (element.length == 0 && !delimiterDue) {
            if (!nextElement()) {
                requireLength();
                return -1;
            }
        }
        int done = 0;
        if (delimiterDue) {
            delimiterDue = false;
            target[offset] = delimiter;
            done = 1;
        }
        int part = Math.min(count - done, element.length);
        System.arraycopy(element.bytes, element.offset, target, offset + done, part);
        element.set(element.bytes, element.offset + part, element.length - part);
        produced += done + part;
        return done + part;
    }

    /** Reads all of it into an array of the slice's own. */
    void readAll(ByteSlice target) throws IOException {
        if (length > Integer.MAX_VALUE - 8) {
            throw new IOException("a value of " + length + " bytes is too large for an array");
        }
        byte[] bytes = new byte[(int) length];
        int done = 0;
        while (done < bytes.length) {
            int read = read(bytes, done, bytes.length - done);
            if (read < 0) {
                break;
            }
            done += read;
        }
        requireLength();
        target.set(bytes);
    }

    private void requireLength() throws IOException {
        if (produced != length) {
            throw new IOException(
                    "a list converted twice had %d bytes, then %d: its serializer does not write the same bytes each time"
                            .formatted(length, produced));
        }
    }

    /** Converts the next element; false at the end. */
    private boolean nextElement() throws IOException {
        while (window.length > 0 || sourceLeft > 0) {
            int offset = window.offset;
            int before = window.length;
            try {
                if (before > 0) {
                    elements.convertNext(window, element);
                    if (window.length > 0 || sourceLeft == 0) {
                        delimiterDue = !isFirst;
                        isFirst = false;
                        return true;
                    }
                    // whether the delimiter was in the window too shows with the bytes behind it
                    window.set(window.bytes, offset, before);
                }
            } catch (EOFException e) {
                if (sourceLeft == 0) {
                    throw e;
                }
            }
            fill();
        }
        return false;
    }

    private void fill() throws IOException {
        byte[] bytes = window.bytes;
        if (window.length == bytes.length) {
            bytes = Arrays.copyOf(bytes, bytes.length * 2);
        } else {
            System.arraycopy(bytes, window.offset, bytes, 0, window.length);
        }
        int wanted = (int) Math.min(bytes.length - window.length, sourceLeft);
        int read = source.readValue(bytes, window.length, wanted);
        if (read <= 0) {
            throw new EOFException("a list ended " + sourceLeft + " bytes too early");
        }
        window.set(bytes, 0, window.length + read);
        sourceLeft -= read;
    }
}
