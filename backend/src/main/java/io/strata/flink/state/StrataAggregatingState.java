/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.internal.InternalAggregatingState;

/**
 * Aggregating state: holds the accumulator.
 *
 * @param <K> the key
 * @param <N> the namespace
 * @param <IN> what is added
 * @param <ACC> the accumulator
 * @param <OUT> what is got
 */
final class StrataAggregatingState<K, N, IN, ACC, OUT>
        extends StrataMergingState<K, N, IN, ACC, OUT>
        implements InternalAggregatingState<K, N, IN, ACC, OUT> {

    private AggregateFunction<IN, ACC, OUT> function;

    StrataAggregatingState(StateContext<K> context, String name, ValueStateTable<K, N, ACC> table) {
        super(context, name, table);
    }

    @Override
    @SuppressWarnings("unchecked")
    void update(
            StateDescriptor<?, ACC> descriptor,
            RegisteredKeyValueStateBackendMetaInfo<N, ACC> metaInfo) {
        super.update(descriptor, metaInfo);
        function = ((AggregatingStateDescriptor<IN, ACC, OUT>) descriptor).getAggregateFunction();
    }

    @Override
    public OUT get() throws Exception {
        ACC accumulator = table.get(key(), namespace);
        return accumulator == null ? null : function.getResult(accumulator);
    }

    @Override
    public void add(IN value) throws Exception {
        K key = key();
        if (value == null) {
            table.remove(key, namespace);
            return;
        }
        ACC before = table.get(key, namespace);
        ACC accumulator = before == null ? function.createAccumulator() : before;
        store(key, namespace, function.add(value, accumulator));
    }

    @Override
    ACC merge(ACC first, ACC second) {
        return function.merge(first, second);
    }
}
