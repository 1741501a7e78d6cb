/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.engine.ValueTable;
import java.io.IOException;
import java.util.Collection;
import org.apache.flink.runtime.state.internal.InternalMergingState;

/**
 * What reducing and aggregating state have in common: one value a namespace, and a function that
 * merges two of them.
 *
 * @param <K> the key
 * @param <N> the namespace
 * @param <IN> what is added
 * @param <SV> what is held
 * @param <OUT> what is got
 */
abstract class StrataMergingState<K, N, IN, SV, OUT> extends StrataState<K, N, SV>
        implements InternalMergingState<K, N, IN, SV, OUT> {

    final ValueTable<K, N, SV> table;

    StrataMergingState(StateContext<K> context, String name, ValueStateTable<K, N, SV> table) {
        super(context, name, table);
        this.table = table.table;
    }

    /** Merges two values; either may be changed and returned. */
    abstract SV merge(SV first, SV second) throws Exception;

    @Override
    public final SV getInternal() throws IOException {
        return table.get(key(), namespace);
    }

    @Override
    public final void updateInternal(SV value) throws IOException {
        store(key(), namespace, value);
    }

    final void store(K key, N namespace, SV value) throws IOException {
        if (value == null) {
            table.remove(key, namespace);
        } else {
            table.put(key, namespace, value);
        }
    }

    /** Merges the sources in their order, then the target with the result: target first. */
    @Override
    public final void mergeNamespaces(N target, Collection<N> sources) throws Exception {
        if (sources == null || sources.isEmpty()) {
            return;
        }
        K key = key();
        SV merged = null;
        for (N source : sources) {
            SV value = source == null ? null : table.get(key, source);
            if (value != null) {
                table.remove(key, source);
                merged = merged == null ? value : merge(merged, value);
            }
        }
        if (merged != null) {
            SV before = table.get(key, target);
            store(key, target, before == null ? merged : merge(before, merged));
        }
    }
}
