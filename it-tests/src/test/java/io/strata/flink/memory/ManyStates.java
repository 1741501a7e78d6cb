/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;

/** Keys of the plan spread over many states of one operator. */
final class ManyStates implements Workload {

    static final int STATES = 200;

    private static final long serialVersionUID = 1L;

    private final ValueWorkload.Content<String> content;
    private transient List<ValueState<String>> states;

    ManyStates(int bytes) {
        this.content = Contents.strings(bytes);
    }

    @Override
    public long flinkKey(long key) {
        return key / STATES;
    }

    @Override
    public void open(RuntimeContext context, MemoryPlan plan) {
        states = new ArrayList<>();
        for (int i = 0; i < STATES; i++) {
            states.add(context.getState(new ValueStateDescriptor<>("state-" + i, Types.STRING)));
        }
    }

    @Override
    public void change(long key) throws Exception {
        ValueState<String> state = state(key);
        String before = state.value();
        state.update(content.make(key, before == null ? 1 : content.count(key, before) + 1));
    }

    @Override
    public long check(long key) throws Exception {
        String found = state(key).value();
        long count = content.count(key, found);
        Workload.require(Objects.equals(found, content.make(key, count)), key, found);
        return count;
    }

    private ValueState<String> state(long key) {
        return states.get((int) (key % STATES));
    }
}
