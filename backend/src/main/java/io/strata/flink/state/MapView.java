/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.engine.MapTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/**
 * One map of a map state as a {@link Map}: a live view that holds no entries itself, so that maps
 * larger than the heap can be walked over. {@link #size} is a walk.
 *
 * @param <K> the key
 * @param <N> the namespace
 * @param <UK> the user key
 * @param <UV> the user value
 */
final class MapView<K, N, UK, UV> extends AbstractMap<UK, UV> {

    private final MapTable<K, N, UK, UV> table;
    private final K key;
    private final N namespace;

    MapView(MapTable<K, N, UK, UV> table, K key, N namespace) {
        this.table = table;
        this.key = key;
        this.namespace = namespace;
    }

    @Override
    @SuppressWarnings("unchecked")
    public UV get(Object userKey) {
        try {
            return table.get(key, namespace, (UK) userKey);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public boolean containsKey(Object userKey) {
        try {
            return table.contains(key, namespace, (UK) userKey);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean isEmpty() {
        return !entrySet().iterator().hasNext();
    }

    @Override
    public Set<Map.Entry<UK, UV>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<UK, UV>> iterator() {
                try {
                    return table.iterator(key, namespace);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public int size() {
                int entries = 0;
                for (Iterator<Map.Entry<UK, UV>> walk = iterator(); walk.hasNext(); walk.next()) {
                    entries++;
                }
                return entries;
            }
        };
    }
}
