/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import java.util.Map;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;

/** One key whose map has an entry for every key of the plan. */
final class OneMap implements Workload {

    private static final long serialVersionUID = 1L;

    private final int bytes;
    private transient MapState<Long, String> state;
    private transient MemoryPlan plan;

    OneMap(int bytes) {
        this.bytes = bytes;
    }

    @Override
    public long flinkKey(long key) {
        return 0;
    }

    @Override
    public void open(RuntimeContext context, MemoryPlan thePlan) {
        plan = thePlan;
        state = context.getMapState(new MapStateDescriptor<>("one-map", Types.LONG, Types.STRING));
    }

    @Override
    public void change(long key) throws Exception {
        String before = state.get(key);
        state.put(key, value(key, before == null ? 1 : count(before) + 1));
    }

    @Override
    public long check(long key) throws Exception {
        if (key == 0) {
            checkAll();
        }
        String found = state.get(key);
        Workload.require(found.equals(value(key, count(found))), key, found);
        return count(found);
    }

    private void checkAll() throws Exception {
        long entries = 0;
        long keys = 0;
        for (Map.Entry<Long, String> entry : state.entries()) {
            String expected = value(entry.getKey(), plan.changesOf(entry.getKey()));
            Workload.require(entry.getValue().equals(expected), entry.getKey(), entry);
            entries++;
            keys += entry.getKey();
        }
        Workload.require(entries == plan.keys(), 0, entries);
        Workload.require(keys == plan.keys() * (plan.keys() - 1) / 2, 0, keys);
    }

    private String value(long key, long count) {
        return count + ":" + Payload.text(key, count, bytes);
    }

    private static long count(String value) {
        return Long.parseLong(value.substring(0, value.indexOf(':')));
    }
}
