/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.UnaryOperator;

/**
 * The elements of one list state that are on the heap: the value of an entry of a {@link
 * HotListTable}. Either the whole list, or the newest part of one whose older elements may lie
 * below.
 *
 * <pre>
 *   older elements, in runs  | 0 ..... flushed ..... appendFrom ..... size
 *   (only if baseBelow)      | also in runs | in flight  | appended in the epoch of the entry
 * </pre>
 *
 * <p>The element array only grows at its end, and only by the newest list that uses it: a frozen
 * list and its successors share it, each with its own size (I7). The task thread owns a list; a
 * frozen one may also be read by the flush that it was handed to.
 *
 * @param <T> type of the elements, never null
 */
public final class HotList<T> {

    /** The elements that an epoch and its predecessors sealed. Immutable; newest first. */
    private record Mark(int epoch, int size, Mark older) {}

    /** Heap bytes of this object: 40 with compressed references. */
    static final int BYTES = (int) HeapLayout.CURRENT.objectBytes(2, 5 * Integer.BYTES);

    private static final int FIRST_CAPACITY = 4;
    private static final int UNIT_SHIFT = 3;
    private static final int BASE_BELOW = 1;
    private static final int REPLACES = 1 << 1;

    /** No frozen list in flight shares an element object with this one. */
    private static final int OWN_ELEMENTS = 1 << 2;

    private Object[] elements;
    private int size;

    /** The first element that no older epoch than the entry's has sealed. */
    private int appendFrom;

    /** The newest epoch that sealed elements before {@link #appendFrom}. */
    private int baseEpoch;

    private int flags;

    /** Which elements the epochs in flight hold; kept only while older ones may lie below. */
    private Mark marks;

    /** Heap bytes of the elements, in units of 8 bytes. */
    private int elementUnits;

    private HotList(Object[] elements, int size, long elementBytes, int flags) {
        this.elements = elements;
        this.size = size;
        this.elementUnits = units(elementBytes);
        this.flags = flags;
    }

    /** A whole list that replaces whatever runs hold. */
    static <T> HotList<T> replacing(Collection<? extends T> elements, long elementBytes) {
        Object[] array = elements.toArray();
        return new HotList<>(array, array.length, elementBytes, REPLACES | OWN_ELEMENTS);
    }

    /** A whole list as the runs hold it. */
    static <T> HotList<T> loaded(Collection<? extends T> elements, long elementBytes) {
        Object[] array = elements.toArray();
        HotList<T> list = new HotList<>(array, array.length, elementBytes, OWN_ELEMENTS);
        list.appendFrom = array.length;
        return list;
    }

    /** An empty list in front of which older elements may lie below. */
    static <T> HotList<T> tail() {
        return new HotList<>(new Object[FIRST_CAPACITY], 0, 0, BASE_BELOW | OWN_ELEMENTS);
    }

    /** An empty list that replaces whatever runs hold. */
    static <T> HotList<T> fresh() {
        return new HotList<>(new Object[FIRST_CAPACITY], 0, 0, REPLACES | OWN_ELEMENTS);
    }

    // ---- what anyone may ask ----

    /** The number of elements here. */
    public int size() {
        return size;
    }

    /** The element at an index below {@link #size()}. */
    @SuppressWarnings("unchecked")
    public T get(int index) {
        if (index >= size) {
            throw new IndexOutOfBoundsException(index);
        }
        return (T) elements[index];
    }

    /** Whether older elements than those here may lie below. */
    public boolean baseBelow() {
        return (flags & BASE_BELOW) != 0;
    }

    /**
     * Whether a flush of this list writes a PUT of all elements; otherwise it writes an APPEND of
     * those from {@link #appendFrom()} on.
     */
    public boolean replacesBelow() {
        return (flags & REPLACES) != 0;
    }

    /** The first element that a flush of this list writes. */
    public int appendFrom() {
        return appendFrom;
    }

    /** The elements here now, unmodifiable; what is appended later does not show in it. */
    public List<T> view() {
        return view(0);
    }

    /** The elements from index {@code from} on, like {@link #view()}. */
    public List<T> view(int from) {
        return new View<>(elements, from, size - from);
    }

    // ---- what its table does ----

    /** Heap bytes of this list, its array and its elements. */
    long heapBytes() {
        return BYTES
                + HeapLayout.CURRENT.referenceArrayBytes(elements.length)
                + ((long) elementUnits << UNIT_SHIFT);
    }

    /** Of {@link #heapBytes()}, what a {@link #fork} keeps using. */
    long sharedBytes() {
        return heapBytes() - BYTES;
    }

    /**
     * The number of elements here that installed runs hold too. Only asked of lists with {@link
     * #baseBelow()}.
     */
    int flushed(int entryEpoch, int flushedEpoch) {
        if (entryEpoch <= flushedEpoch) {
            return size;
        }
        Mark mark = marks;
        while (mark != null && mark.epoch > flushedEpoch) {
            mark = mark.older;
        }
        return mark == null ? 0 : mark.size;
    }

    /**
     * Adds an element at the end.
     *
     * @param bytes its heap bytes
     */
    void append(T element, long bytes) {
        if (element == null) {
            throw new NullPointerException("List state holds no null elements");
        }
        if (size == elements.length || elements[size] != null) {
            elements = grown();
        }
        elements[size++] = element;
        elementUnits = units(((long) elementUnits << UNIT_SHIFT) + EntrySizer.align(bytes));
    }

    /** The successor of a frozen list: shares its elements and may be appended to. */
    HotList<T> fork(int entryEpoch, int flushedEpoch) {
        HotList<T> fork = new HotList<>(elements, size, 0, flags & BASE_BELOW);
        fork.elementUnits = elementUnits;
        fork.appendFrom = size;
        fork.baseEpoch = entryEpoch;
        if (baseBelow()) {
            fork.marks = new Mark(entryEpoch, size, marks);
            fork.dropFirst(fork.flushed(Integer.MAX_VALUE, flushedEpoch));
        }
        return fork;
    }

    /** Readies a list that is not frozen for elements of a new epoch. */
    void startEpoch(int entryEpoch, int flushedEpoch) {
        boolean clean = entryEpoch <= flushedEpoch;
        flags = (flags & ~REPLACES) | (clean ? OWN_ELEMENTS : 0);
        appendFrom = size;
        baseEpoch = entryEpoch;
        if (baseBelow()) {
            marks = new Mark(entryEpoch, size, marks);
            dropFirst(flushed(Integer.MAX_VALUE, flushedEpoch));
        }
    }

    /** A copy of a frozen list whose elements the task may change. */
    HotList<T> copy(UnaryOperator<T> copier) {
        HotList<T> copy = new HotList<>(elements, size, 0, flags);
        copy.elementUnits = elementUnits;
        copy.appendFrom = appendFrom;
        copy.baseEpoch = baseEpoch;
        copy.marks = marks;
        copy.copyElements(size, copier);
        return copy;
    }

    /** Makes the elements safe for the task to change, in a list that is not frozen. */
    void ownElements(boolean current, int flushedEpoch, UnaryOperator<T> copier) {
        if ((flags & OWN_ELEMENTS) == 0) {
            int shared = !current ? size : baseEpoch > flushedEpoch ? appendFrom : 0;
            if (shared > 0) {
                copyElements(shared, copier);
            }
            flags |= OWN_ELEMENTS;
        }
    }

    /** This list with the elements that the runs hold in front of those that they do not. */
    HotList<T> withBase(Collection<? extends T> base, long baseBytes, int flushed) {
        Object[] array = base.toArray();
        int loaded = array.length;
        array = Arrays.copyOf(array, loaded + size - flushed);
        System.arraycopy(elements, flushed, array, loaded, size - flushed);
        long bytes = baseBytes + ((long) unitsFrom(flushed) << UNIT_SHIFT);
        HotList<T> whole = new HotList<>(array, array.length, bytes, flags & OWN_ELEMENTS);
        whole.appendFrom = loaded + Math.max(0, appendFrom - flushed);
        whole.baseEpoch = baseEpoch;
        return whole;
    }

    /** Notes that element objects are shared with a frozen list. */
    void shareElements() {
        flags &= ~OWN_ELEMENTS;
    }

    /** Drops the elements that installed runs hold; false if there are none. */
    boolean trim(int flushedEpoch) {
        int flushed = appendFrom;
        if (replacesBelow() || baseEpoch > flushedEpoch) {
            flushed = baseBelow() ? flushed(Integer.MAX_VALUE, flushedEpoch) : 0;
        }
        if (flushed == 0) {
            return false;
        }
        dropFirst(flushed);
        flags |= BASE_BELOW;
        return true;
    }

    /**
     * A larger array with the elements of this list only. Also taken when the array has room but a
     * newer list has appended to it: that cannot happen while the table is used as it is meant to,
     * and costs one comparison to be sure of (I7).
     */
    private Object[] grown() {
        Object[] array = new Object[Math.max(FIRST_CAPACITY, size + (size >> 1) + 1)];
        System.arraycopy(elements, 0, array, 0, size);
        return array;
    }

    private void dropFirst(int count) {
        if (count == 0) {
            return;
        }
        elementUnits = unitsFrom(count);
        elements = Arrays.copyOfRange(elements, count, Math.max(size, count + FIRST_CAPACITY));
        size -= count;
        appendFrom -= count;
        marks = without(marks, count);
    }

    private static Mark without(Mark mark, int count) {
        return mark == null || mark.size <= count
                ? null
                : new Mark(mark.epoch, mark.size - count, without(mark.older, count));
    }

    /** An estimate of the units of the elements from an index on. */
    private int unitsFrom(int index) {
        return size == 0 ? 0 : (int) ((long) elementUnits * (size - index) / size);
    }

    @SuppressWarnings("unchecked")
    private void copyElements(int count, UnaryOperator<T> copier) {
        Object[] copied = Arrays.copyOf(elements, Math.max(size, FIRST_CAPACITY));
        for (int i = 0; i < count; i++) {
            copied[i] = copier.apply((T) copied[i]);
        }
        elements = copied;
        flags |= OWN_ELEMENTS;
    }

    private static int units(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE, EntrySizer.align(bytes) >>> UNIT_SHIFT);
    }

    @Override
    public String toString() {
        return (baseBelow() ? "[.., " : "[") + size + " elements]";
    }

    /** A part of an array that does not change. */
    private static final class View<T> extends AbstractList<T> implements RandomAccess {
        private final Object[] elements;
        private final int from;
        private final int size;

        View(Object[] elements, int from, int size) {
            this.elements = elements;
            this.from = from;
            this.size = size;
        }

        @Override
        @SuppressWarnings("unchecked")
        public T get(int index) {
            if (index < 0 || index >= size) {
                throw new IndexOutOfBoundsException(index);
            }
            return (T) elements[from + index];
        }

        @Override
        public int size() {
            return size;
        }
    }
}
