/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import java.util.Objects;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * One value a key, made from the key and from how often it was changed.
 *
 * @param <V> the type of the values
 */
final class ValueWorkload<V> implements Workload {

    private static final long serialVersionUID = 1L;

    private final Content<V> content;
    private transient ValueState<V> state;

    ValueWorkload(Content<V> content) {
        this.content = content;
    }

    @Override
    public void open(RuntimeContext context, MemoryPlan plan) {
        state = context.getState(new ValueStateDescriptor<>(content.name(), content.type()));
    }

    @Override
    public void change(long key) throws Exception {
        V before = state.value();
        long count = before == null ? 0 : content.count(key, before);
        state.update(content.make(key, count + 1));
    }

    @Override
    public long check(long key) throws Exception {
        V found = state.value();
        if (found == null) {
            return 0;
        }
        long count = content.count(key, found);
        Workload.require(Objects.deepEquals(found, content.make(key, count)), key, found);
        return count;
    }

    /**
     * Values of one type.
     *
     * @param <V> the type
     */
    interface Content<V> extends java.io.Serializable {

        String name();

        TypeInformation<V> type();

        /** Makes the value of a key that was changed {@code count} times. */
        V make(long key, long count);

        /** Returns the count that a value was made with. */
        long count(long key, V value);
    }
}
