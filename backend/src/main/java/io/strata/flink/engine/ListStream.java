/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.segment.Segment;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Iterator over a list whose older part is too large for the heap: it reads that part through a
 * window, then goes on with the elements that were hot when it was made. Task thread only.
 *
 * <p>It keeps its segments only until the record ends: the store {@link #suspend}s it then, so that
 * an abandoned iterator holds nothing. Used again later, it finds its place once more.
 *
 * @param <T> the type of the elements
 */
final class ListStream<T> implements Iterator<T> {

    private static final int WINDOW_BYTES = 1 << 16;

    /** Finds the records of the list as they are now. */
    interface Locator {
        boolean locate(ColdList target) throws IOException;
    }

    private final ElementCodec<T> elements;
    private final ColdList cold;
    private final Locator locator;
    private final long coldLength;
    private final Iterator<T> hotTail;

    /** Unread bytes read ahead of the current record. */
    private final ByteSlice window = new ByteSlice(new byte[WINDOW_BYTES], 0, 0);

    private List<Segment> retained = List.of();
    private int part;

    /** Value bytes of the current record not yet in the window. */
    private long partLeft;

    /**
     * How far the walk came: value bytes decoded, and one for the end of each record, so that the
     * number stays true when a compaction joins records by a delimiter.
     */
    private long consumed;

    ListStream(ElementCodec<T> elements, ColdList located, Locator locator, List<T> hot) {
        this.elements = elements;
        this.cold = located;
        this.locator = locator;
        this.coldLength = located.length();
        this.hotTail = hot.iterator();
    }

    @Override
    public boolean hasNext() {
        return consumed < coldLength || hotTail.hasNext();
    }

    @Override
    public T next() {
        if (consumed >= coldLength) {
            return hotTail.next();
        }
        try {
            return nextCold();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private T nextCold() throws IOException {
        if (retained.isEmpty()) {
            resume();
        }
        if (window.length == 0 && partLeft == 0) {
            openPart(part + 1);
        }
        if (window.length == 0) {
            fill();
        }
        while (true) {
            int offset = window.offset;
            int before = window.length;
            try {
                T element = elements.decodeNext(window);
                if (window.length == 0 && partLeft > 0) {
                    // whether the delimiter was in the window too shows with the bytes behind it
                    window.set(window.bytes, offset, before);
                    fill();
                    continue;
                }
                consumed += before - window.length;
                if (window.length == 0 && partLeft == 0) {
                    consumed++;
                }
                if (consumed >= coldLength) {
                    suspend();
                }
                return element;
            } catch (EOFException e) {
                if (partLeft == 0) {
                    throw e;
                }
                fill();
            }
        }
    }

    /** Locates the records and skips what was consumed already. */
    private void resume() throws IOException {
        if (!locator.locate(cold)) {
            throw new NoSuchElementException("The list was cleared while it was iterated over.");
        }
        retained = List.copyOf(cold.segments());
        retained.forEach(Segment::retain);
        window.set(window.bytes, 0, 0);
        long skip = consumed;
        openPart(0);
        while (skip > partLeft) {
            skip -= partLeft + 1;
            openPart(part + 1);
        }
        while (skip > 0) {
            fill();
            int step = (int) Math.min(skip, window.length);
            window.set(window.bytes, window.offset + step, window.length - step);
            skip -= step;
        }
    }

    private void openPart(int index) {
        if (index >= cold.parts()) {
            throw new NoSuchElementException("The list changed while it was iterated over.");
        }
        part = index;
        partLeft = cold.oldest(index).valueBytes();
    }

    /** Reads more of the current record behind what the window still holds. */
    private void fill() throws IOException {
        byte[] bytes = window.bytes;
        if (window.length == bytes.length) {
            bytes = Arrays.copyOf(bytes, bytes.length * 2);
        } else {
            System.arraycopy(bytes, window.offset, bytes, 0, window.length);
        }
        int wanted = (int) Math.min(bytes.length - window.length, partLeft);
        int read = cold.oldest(part).readValue(bytes, window.length, wanted);
        if (read <= 0) {
            throw new EOFException("A list record ended " + partLeft + " bytes too early.");
        }
        window.set(bytes, 0, window.length + read);
        partLeft -= read;
    }

    /** Lets go of the segments. */
    void suspend() {
        List<Segment> held = retained;
        retained = List.of();
        held.forEach(Segment::release);
    }
}
