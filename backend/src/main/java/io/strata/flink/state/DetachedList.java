/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;

/**
 * A list as handed to the user: it shares the state's elements until it is changed, and changing it
 * does not change the state.
 *
 * <p>Flink's own window operator removes elements of such a list through its iterator (evictors),
 * so it must allow changes; and it clears the state and adds the elements of the list again, so it
 * must not be a live view.
 *
 * @param <T> the element
 */
final class DetachedList<T> extends AbstractList<T> implements RandomAccess {

    private List<T> elements;
    private boolean owned;

    /**
     * Creates the list.
     *
     * @param shared never changes as long as this list exists
     */
    DetachedList(List<T> shared) {
        this.elements = shared;
    }

    @Override
    public T get(int index) {
        return elements.get(index);
    }

    @Override
    public int size() {
        return elements.size();
    }

    @Override
    public T set(int index, T element) {
        return own().set(index, element);
    }

    @Override
    public void add(int index, T element) {
        own().add(index, element);
        modCount++;
    }

    @Override
    public T remove(int index) {
        modCount++;
        return own().remove(index);
    }

    private List<T> own() {
        if (!owned) {
            elements = new ArrayList<>(elements);
            owned = true;
        }
        return elements;
    }
}
