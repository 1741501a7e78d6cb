/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import org.apache.flink.api.common.functions.ReduceFunction;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.internal.InternalReducingState;

/**
 * Reducing state.
 *
 * @param <K> the key
 * @param <N> the namespace
 * @param <V> the value
 */
final class StrataReducingState<K, N, V> extends StrataMergingState<K, N, V, V, V>
        implements InternalReducingState<K, N, V> {

    private ReduceFunction<V> function;

    StrataReducingState(StateContext<K> context, String name, ValueStateTable<K, N, V> table) {
        super(context, name, table);
    }

    @Override
    @SuppressWarnings("unchecked")
    void update(
            StateDescriptor<?, V> descriptor,
            RegisteredKeyValueStateBackendMetaInfo<N, V> metaInfo) {
        super.update(descriptor, metaInfo);
        function = ((ReducingStateDescriptor<V>) descriptor).getReduceFunction();
    }

    @Override
    public V get() throws Exception {
        return table.get(key(), namespace);
    }

    @Override
    public void add(V value) throws Exception {
        K key = key();
        if (value == null) {
            table.remove(key, namespace);
            return;
        }
        V before = table.get(key, namespace);
        store(key, namespace, before == null ? value : function.reduce(before, value));
    }

    @Override
    V merge(V first, V second) throws Exception {
        return function.reduce(first, second);
    }
}
