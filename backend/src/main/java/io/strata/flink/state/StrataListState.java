/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import static org.apache.flink.util.Preconditions.checkNotNull;

import io.strata.flink.engine.ListTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.runtime.state.internal.InternalListState;

/**
 * List state. {@link #add} never reads the cold tier; {@link #get} streams a list that does not fit
 * the heap.
 *
 * @param <K> the key
 * @param <N> the namespace
 * @param <T> the element
 */
final class StrataListState<K, N, T> extends StrataState<K, N, List<T>>
        implements InternalListState<K, N, T> {

    private static final String NULL_ELEMENT = "You cannot add null to a ListState.";
    private static final String NULL_LIST = "List of values to add cannot be null.";

    private final ListStateTable<K, N, T> stateTable;
    private final ListTable<K, N, T> table;

    /** The last elements handed out as a stream, to be detached before their list is changed. */
    private StreamedElements<T> stream;

    private K streamKey;
    private N streamNamespace;

    StrataListState(StateContext<K> context, String name, ListStateTable<K, N, T> table) {
        super(context, name, table);
        this.stateTable = table;
        this.table = table.table;
    }

    @Override
    public Iterable<T> get() throws IOException {
        K key = key();
        Iterable<T> elements = table.get(key, namespace);
        if (elements == null) {
            return null;
        }
        if (elements instanceof List<T> list) {
            return new DetachedList<>(list);
        }
        streamKey = key;
        streamNamespace = namespace;
        stream = new StreamedElements<>(elements);
        return stream;
    }

    @Override
    public List<T> getInternal() throws IOException {
        List<T> elements = table.getList(key(), namespace);
        return elements == null ? null : new DetachedList<>(elements);
    }

    @Override
    public void add(T element) throws IOException {
        checkNotNull(element, NULL_ELEMENT);
        K key = key();
        beforeChange(key, namespace);
        table.add(key, namespace, element);
    }

    @Override
    public void addAll(List<T> elements) throws IOException {
        checkElements(elements);
        if (!elements.isEmpty()) {
            K key = key();
            beforeChange(key, namespace);
            table.addAll(key, namespace, elements);
        }
    }

    @Override
    public void update(List<T> elements) throws IOException {
        checkElements(elements);
        K key = key();
        beforeChange(key, namespace);
        stateTable.write(key, namespace, elements);
    }

    @Override
    public void updateInternal(List<T> elements) throws IOException {
        update(elements);
    }

    @Override
    public void clear() {
        beforeChange(key(), namespace);
        super.clear();
    }

    private static void checkElements(List<?> elements) {
        checkNotNull(elements, NULL_LIST);
        for (Object element : elements) {
            checkNotNull(element, NULL_ELEMENT);
        }
    }

    private void beforeChange(K key, N namespace) {
        if (stream != null && key.equals(streamKey) && namespace.equals(streamNamespace)) {
            stream.detach();
            stream = null;
            streamKey = null;
            streamNamespace = null;
        }
    }

    /** Appends the sources in their order to the target. */
    @Override
    public void mergeNamespaces(N target, Collection<N> sources) throws IOException {
        if (sources == null || sources.isEmpty()) {
            return;
        }
        K key = key();
        beforeChange(key, target);
        if (sources.contains(target)) {
            mergeIncludingTarget(key, target, sources);
            return;
        }
        for (N source : sources) {
            Iterable<T> elements = source == null ? null : table.get(key, source);
            if (elements != null) {
                beforeChange(key, source);
                stateTable.append(key, target, elements);
                table.remove(key, source);
            }
        }
    }

    /** The target's elements have a place among those of the other sources: read, then write. */
    private void mergeIncludingTarget(K key, N target, Collection<N> sources) throws IOException {
        List<T> merged = new ArrayList<>();
        for (N source : sources) {
            List<T> elements = source == null ? null : table.getList(key, source);
            if (elements != null) {
                beforeChange(key, source);
                merged.addAll(elements);
                table.remove(key, source);
            }
        }
        if (!merged.isEmpty()) {
            table.put(key, target, merged);
        }
    }
}
