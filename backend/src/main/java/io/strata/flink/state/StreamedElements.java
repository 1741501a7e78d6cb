/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The elements of a list that is too large to be read into the heap, as handed to the user: every
 * walk streams them.
 *
 * <p>Before the state is changed, and when an element is removed through an iterator, the elements
 * are read into a list, so that this object keeps what it held when it was handed out; only those
 * uses need memory for the whole list. See {@link DetachedList} for who relies on it.
 *
 * @param <T> the element
 */
final class StreamedElements<T> implements Iterable<T> {

    private Iterable<T> stream;
    private List<T> detached;

    StreamedElements(Iterable<T> stream) {
        this.stream = stream;
    }

    /** Reads all elements into the heap; from now on the state is not looked at. */
    void detach() {
        if (detached == null) {
            List<T> all = new ArrayList<>();
            stream.forEach(all::add);
            detached = all;
            stream = null;
        }
    }

    @Override
    public Iterator<T> iterator() {
        return new Walk();
    }

    /** Streams until the elements are detached, then goes on at the same place in the list. */
    private final class Walk implements Iterator<T> {

        private Iterator<T> source = detached == null ? stream.iterator() : detached.iterator();
        private boolean streaming = detached == null;
        private int returned;

        @Override
        public boolean hasNext() {
            return source().hasNext();
        }

        @Override
        public T next() {
            T element = source().next();
            returned++;
            return element;
        }

        @Override
        public void remove() {
            if (returned == 0) {
                throw new IllegalStateException("next() was not called yet");
            }
            if (streaming) {
                detach();
                source = detached.listIterator(returned - 1);
                source.next();
                streaming = false;
            }
            source.remove();
            returned--;
        }

        private Iterator<T> source() {
            if (streaming && detached != null) {
                source = detached.listIterator(returned);
                streaming = false;
            }
            return source;
        }
    }
}
