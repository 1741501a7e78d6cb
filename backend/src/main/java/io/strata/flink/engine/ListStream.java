/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.ElementConverter;
import io.strata.flink.compaction.ValueConverter;
import io.strata.flink.compaction.ValueConverters;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.segment.Segment;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Iterator over a list whose older part is too large for the heap: it reads that part through a
 * window, then goes on with the elements that were hot when it was made. Task thread only.
 *
 * <p>It keeps its segments only until the record ends: the store {@link #suspend}s it then, so that
 * an abandoned iterator holds nothing. Used again later, it finds its place once more: by bytes, or
 * by elements when the list was written in an older schema, in which a compaction may meanwhile
 * have rewritten it.
 *
 * @param <T> the type of the elements
 */
final class ListStream<T> implements Iterator<T> {

    private static final int WINDOW_BYTES = 1 << 16;

    /** Where the list is now. */
    interface Source<T> {
        /** Finds the records of the list; false when there are none. */
        boolean locate(ColdList target) throws IOException;

        /** Returns the hot elements that no record holds yet. */
        List<T> hotTail();

        /** Returns a number that changes when records may have lost elements that expired. */
        long cuts();
    }

    private final ElementCodec<T> elements;
    private final ValueConverters converters;
    private final ColdList cold;
    private final Source<T> source;

    /** Whether a compaction may change the length of the records by converting them. */
    private final boolean mayBeConverted;

    private final long cuts;
    private long coldLength;
    private Iterator<T> hotTail;

    /** Unread bytes read ahead of the current record. */
    private final ByteSlice window = new ByteSlice(new byte[WINDOW_BYTES], 0, 0);

    private final ByteSlice converted = new ByteSlice();
    private List<Segment> retained = List.of();
    private int part;

    /** Converts the elements of the current record; null when they are read as they are. */
    private ElementConverter converter;

    /** Value bytes of the current record not yet in the window. */
    private long partLeft;

    /**
     * How far the walk came: value bytes decoded, and one for the end of each record, so that the
     * number stays true when a compaction joins records by a delimiter.
     */
    private long consumed;

    /** Elements handed out so far. */
    private long returned;

    /**
     * Creates it before the first element.
     *
     * @param cold to be used by this iterator alone
     */
    ListStream(
            ElementCodec<T> elements, ValueConverters converters, ColdList cold, Source<T> source) {
        this.elements = elements;
        this.converters = converters;
        this.cold = cold;
        this.source = source;
        this.cuts = source.cuts();
        try {
            source.locate(cold);
            this.mayBeConverted = hasOldSchema();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.coldLength = cold.length();
        this.hotTail = source.hotTail().iterator();
    }

    private boolean hasOldSchema() throws IOException {
        for (int i = 0; i < cold.parts(); i++) {
            if (converters.from(cold.schemaId(i)) != null) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean hasNext() {
        return consumed < coldLength || hotTail.hasNext();
    }

    @Override
    public T next() {
        try {
            if (consumed < coldLength && retained.isEmpty()) {
                resume();
            }
            T element = consumed < coldLength ? nextCold() : hotTail.next();
            returned++;
            return element;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private T nextCold() throws IOException {
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
                T element = decodeNext();
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

    private T decodeNext() throws IOException {
        if (converter == null) {
            return elements.decodeNext(window);
        }
        converter.convertNext(window, converted);
        return elements.decode(converted);
    }

    /** Locates the records and skips what was consumed already. */
    private void resume() throws IOException {
        if (!source.locate(cold)) {
            throw new NoSuchElementException("The list was cleared while it was iterated over.");
        }
        if (returned > 0 && cuts != source.cuts()) {
            throw new ConcurrentModificationException(
                    "An iterator over a list with TTL was used after its record, when elements that"
                            + " have expired had been taken away. Iterate within one record.");
        }
        retained = List.copyOf(cold.segments());
        retained.forEach(Segment::retain);
        window.set(window.bytes, 0, 0);
        openPart(0);
        if (mayBeConverted) {
            skipElements();
        } else {
            skipBytes();
        }
    }

    private void skipBytes() throws IOException {
        long skip = consumed;
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

    /** Goes through the list as it is now, which has the same elements in other bytes. */
    private void skipElements() throws IOException {
        consumed = 0;
        coldLength = cold.length();
        hotTail = source.hotTail().iterator();
        for (long i = 0; i < returned; i++) {
            if (consumed < coldLength) {
                nextCold();
            } else {
                hotTail.next();
            }
        }
    }

    private void openPart(int index) throws IOException {
        if (index >= cold.parts()) {
            throw new NoSuchElementException("The list changed while it was iterated over.");
        }
        part = index;
        partLeft = cold.oldest(index).valueBytes();
        ValueConverter found = converters.from(cold.schemaId(index));
        if (found != null && !(found instanceof ElementConverter)) {
            throw new IllegalStateException("A list has a converter that knows no elements.");
        }
        converter = (ElementConverter) found;
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
        Segment.releaseAll(held);
    }
}
