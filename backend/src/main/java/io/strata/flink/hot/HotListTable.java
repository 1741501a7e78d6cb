/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.util.Collection;
import java.util.function.UnaryOperator;

/**
 * The hot table of one list state: the values of its entries are {@link HotList}s. Adding never
 * needs what lies below. Values are set only through the methods of this class. Task thread only.
 *
 * @param <K> type of the key
 * @param <N> type of the namespace
 * @param <T> type of the elements
 */
public final class HotListTable<K, N, T> extends HotTable<K, N> {

    /** A table whose keys are immutable and not counted. */
    public HotListTable(EpochClock clock, HotBytes bytes) {
        super(clock, bytes);
    }

    /** A table for keys as described. */
    public HotListTable(EpochClock clock, HotBytes bytes, HotTableOptions<K> options) {
        super(clock, bytes, options);
    }

    /** The list in an entry that is not a tombstone. */
    @SuppressWarnings("unchecked")
    public HotList<T> list(HotEntry<K, N> entry) {
        return (HotList<T>) entry.value;
    }

    /**
     * Adds an element to the list of a key, whether it is here or not.
     *
     * @param elementBytes heap bytes of the element
     * @param absentBelow the caller knows that the key, if it is not here, exists nowhere below
     */
    public HotEntry<K, N> append(
            K key, N namespace, T element, long elementBytes, boolean absentBelow) {
        HotEntry<K, N> entry = find(key, namespace);
        if (entry != null) {
            return append(entry, element, elementBytes);
        }
        boolean absent = absentBelow || complete();
        HotList<T> list = absent ? HotList.fresh() : HotList.tail();
        list.append(element, elementBytes);
        return write(key, namespace, list, list.heapBytes(), absent);
    }

    /**
     * Adds an element to the list of an entry that a find returned, a tombstone too.
     *
     * @param elementBytes heap bytes of the element
     * @return the entry to use from now on
     */
    public HotEntry<K, N> append(HotEntry<K, N> entry, T element, long elementBytes) {
        if (entry.epoch == clock.current && !entry.isTombstone()) {
            checkLinked(entry);
            HotList<T> list = list(entry);
            list.append(element, elementBytes);
            resize(entry, list.heapBytes());
            return entry;
        }
        HotList<T> list;
        long shared = 0;
        if (entry.isTombstone()) {
            list = HotList.fresh();
        } else if (isFrozen(entry)) {
            HotList<T> frozen = list(entry);
            list = frozen.fork(entry.epoch, clock.flushed);
            shared = frozen.sharedBytes();
        } else {
            list = list(entry);
            list.startEpoch(entry.epoch, clock.flushed);
        }
        list.append(element, elementBytes);
        return change(entry, list, HotNode.packSize(list.heapBytes()), shared);
    }

    /**
     * Replaces the list of a key.
     *
     * @param elementBytes heap bytes of all elements
     * @param absentBelow the caller knows that the key, if it is not here, exists nowhere below
     */
    public HotEntry<K, N> put(
            K key,
            N namespace,
            Collection<? extends T> elements,
            long elementBytes,
            boolean absentBelow) {
        HotList<T> list = HotList.replacing(elements, elementBytes);
        return write(key, namespace, list, list.heapBytes(), absentBelow);
    }

    /**
     * Adds a whole list loaded from below, clean.
     *
     * @param elementBytes heap bytes of all elements
     */
    public HotEntry<K, N> insertLoaded(
            K key, N namespace, Collection<? extends T> elements, long elementBytes) {
        HotList<T> list = HotList.loaded(elements, elementBytes);
        return insertClean(key, namespace, list, list.heapBytes());
    }

    /**
     * The number of the oldest elements here that installed runs hold too: who streams a list with
     * {@link HotList#baseBelow()} reads all elements of the runs, then those here from this index.
     */
    public int flushedElements(HotEntry<K, N> entry) {
        return list(entry).flushed(entry.epoch, clock.flushed);
    }

    /**
     * Makes a list with {@link HotList#baseBelow()} whole.
     *
     * @param stored all elements that the installed runs hold for this key
     * @param storedBytes heap bytes of these
     * @return the entry to use from now on: another one if the given one was frozen
     */
    public HotEntry<K, N> attachBase(
            HotEntry<K, N> entry, Collection<? extends T> stored, long storedBytes) {
        checkLinked(entry);
        HotList<T> list = list(entry);
        if (!list.baseBelow()) {
            throw new IllegalStateException("Whole already: " + entry);
        }
        HotList<T> whole = list.withBase(stored, storedBytes, flushedElements(entry));
        if (isFrozen(entry)) {
            whole.shareElements();
            return replaceByThawed(
                    entry, whole, HotNode.packSize(whole.heapBytes()), list.sharedBytes());
        }
        entry.value = whole;
        resize(entry, whole.heapBytes());
        return entry;
    }

    /**
     * Makes the elements of a list safe for the task to change: those that a flush may still read
     * are copied, once.
     *
     * @param copier deep copy of an element
     * @return the entry to use from now on
     */
    public HotEntry<K, N> thawElements(HotEntry<K, N> entry, UnaryOperator<T> copier) {
        if (isClean(entry) || entry.isTombstone()) {
            return entry;
        }
        checkLinked(entry);
        HotList<T> list = list(entry);
        if (isFrozen(entry)) {
            HotList<T> copy = list.copy(copier);
            return replaceByThawed(entry, copy, HotNode.packSize(copy.heapBytes()), 0);
        }
        list.ownElements(entry.epoch == clock.current, clock.flushed, copier);
        resize(entry, list.heapBytes());
        return entry;
    }

    /**
     * Lists that are appended to in every epoch are never clean: what is flushed of them may go.
     */
    @Override
    long trim(HotEntry<K, N> entry) {
        if (entry.isDetached() || entry.isTombstone() || entry.epoch != clock.current) {
            return 0;
        }
        HotList<T> list = list(entry);
        if (!list.trim(clock.flushed)) {
            return 0;
        }
        long before = entry.sizeBytes();
        resize(entry, list.heapBytes());
        markIncomplete();
        return before - entry.sizeBytes();
    }

    @Override
    boolean canTrim() {
        return true;
    }
}
