/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import java.util.Map;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;

/** A map a key that every change adds an entry to, and a value that counts them. */
final class GrowingMap implements Workload {

    private static final long serialVersionUID = 1L;

    private final int bytes;
    private transient MapState<Long, String> state;
    private transient ValueState<Long> size;

    GrowingMap(int bytes) {
        this.bytes = bytes;
    }

    @Override
    public void open(RuntimeContext context, MemoryPlan plan) {
        state = context.getMapState(new MapStateDescriptor<>("map", Types.LONG, Types.STRING));
        size = context.getState(new ValueStateDescriptor<>("map-size", Types.LONG));
    }

    @Override
    public void change(long key) throws Exception {
        Long before = size.value();
        long entry = before == null ? 0 : before;
        state.put(entry, Payload.text(key, entry, bytes));
        size.update(entry + 1);
    }

    @Override
    public long check(long key) throws Exception {
        long count = 0;
        for (Map.Entry<Long, String> entry : state.entries()) {
            String expected = Payload.text(key, entry.getKey(), bytes);
            Workload.require(entry.getValue().equals(expected), key, entry);
            count++;
        }
        Long counted = size.value();
        Workload.require((counted == null ? 0 : counted) == count, key, counted);
        return count;
    }
}
