/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The frozen entries (or slots) of one table and one epoch, handed to a flush: each key once, none
 * that vanished before the seal. Immutable; may be read by any one thread after the hand-over.
 *
 * @param <E> {@link HotEntry} or {@link HotSlot}
 */
public final class DirtyEntries<E> implements Iterable<E> {

    private final HotNode[][] chunks;
    private final int listed;
    private final int size;
    private final int epoch;
    private final long bytes;

    DirtyEntries(HotNode[][] chunks, int listed, int size, int epoch, long bytes) {
        this.chunks = chunks;
        this.listed = listed;
        this.size = size;
        this.epoch = epoch;
        this.bytes = bytes;
    }

    /** The sealed epoch. */
    public int epoch() {
        return epoch;
    }

    /** The number of entries. */
    public int size() {
        return size;
    }

    /** Whether nothing was dirtied in the epoch. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** Heap bytes of the entries. */
    public long bytes() {
        return bytes;
    }

    /** The entries, in no particular order. */
    @Override
    public Iterator<E> iterator() {
        return new Iterator<>() {
            private int position;
            private int returned;

            @Override
            public boolean hasNext() {
                return returned < size;
            }

            @Override
            @SuppressWarnings("unchecked")
            public E next() {
                while (position < listed) {
                    HotNode node = DirtyList.get(chunks, position++);
                    if (!node.has(HotNode.VANISHED)) {
                        returned++;
                        return (E) node;
                    }
                }
                throw new NoSuchElementException();
            }
        };
    }
}
