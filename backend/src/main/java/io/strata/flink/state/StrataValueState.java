/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.engine.ValueTable;
import java.io.IOException;
import org.apache.flink.runtime.state.internal.InternalValueState;

/**
 * Value state: hands out and takes live objects, as {@code hashmap} does.
 *
 * @param <K> the key
 * @param <N> the namespace
 * @param <V> the value
 */
final class StrataValueState<K, N, V> extends StrataState<K, N, V>
        implements InternalValueState<K, N, V> {

    private final ValueTable<K, N, V> table;

    StrataValueState(StateContext<K> context, String name, ValueStateTable<K, N, V> table) {
        super(context, name, table);
        this.table = table.table;
    }

    @Override
    public V value() throws IOException {
        V value = table.get(key(), namespace);
        return value != null ? value : defaultValue();
    }

    @Override
    public void update(V value) throws IOException {
        if (value == null) {
            table.remove(key(), namespace);
        } else {
            table.put(key(), namespace, value);
        }
    }
}
