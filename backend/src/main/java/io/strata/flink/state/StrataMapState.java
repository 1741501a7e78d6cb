/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.engine.MapTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Function;
import org.apache.flink.runtime.state.internal.InternalMapState;

/**
 * Map state. Values may be null. The iterators stream maps that do not fit the heap, and support
 * {@code remove} and {@code setValue}.
 *
 * @param <K> the key
 * @param <N> the namespace
 * @param <UK> the user key
 * @param <UV> the user value
 */
final class StrataMapState<K, N, UK, UV> extends StrataState<K, N, Map<UK, UV>>
        implements InternalMapState<K, N, UK, UV> {

    private final MapStateTable<K, N, UK, UV> stateTable;
    private final MapTable<K, N, UK, UV> table;

    StrataMapState(StateContext<K> context, String name, MapStateTable<K, N, UK, UV> table) {
        super(context, name, table);
        this.stateTable = table;
        this.table = table.table;
    }

    @Override
    public UV get(UK userKey) throws IOException {
        return table.get(key(), namespace, userKey);
    }

    @Override
    public void put(UK userKey, UV value) throws IOException {
        table.put(key(), namespace, userKey, value);
    }

    @Override
    public void putAll(Map<UK, UV> map) throws IOException {
        if (map != null) {
            stateTable.putAll(key(), namespace, map);
        }
    }

    @Override
    public void remove(UK userKey) throws IOException {
        table.remove(key(), namespace, userKey);
    }

    @Override
    public boolean contains(UK userKey) throws IOException {
        return table.contains(key(), namespace, userKey);
    }

    @Override
    public boolean isEmpty() throws IOException {
        return table.isEmpty(key(), namespace);
    }

    @Override
    public Iterator<Map.Entry<UK, UV>> iterator() throws IOException {
        return table.iterator(key(), namespace);
    }

    @Override
    public Iterable<Map.Entry<UK, UV>> entries() {
        return walks(entry -> entry);
    }

    @Override
    public Iterable<UK> keys() {
        return walks(Map.Entry::getKey);
    }

    @Override
    public Iterable<UV> values() {
        return walks(Map.Entry::getValue);
    }

    /** Returns walks over the map of the key and namespace that are current now. */
    private <E> Iterable<E> walks(Function<Map.Entry<UK, UV>, E> part) {
        K walkedKey = key();
        N walkedNamespace = namespace;
        return () -> {
            try {
                return new PartIterator<>(table.iterator(walkedKey, walkedNamespace), part);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    /** One part of each entry. */
    private record PartIterator<S, E>(Iterator<S> entries, Function<S, E> part)
            implements Iterator<E> {

        @Override
        public boolean hasNext() {
            return entries.hasNext();
        }

        @Override
        public E next() {
            return part.apply(entries.next());
        }

        @Override
        public void remove() {
            entries.remove();
        }
    }
}
