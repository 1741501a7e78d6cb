/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;

/** One key whose list has an element for every change of the plan. */
final class OneList implements Workload {

    private static final long serialVersionUID = 1L;

    private final int bytes;
    private transient ListState<String> state;
    private transient MemoryPlan plan;

    OneList(int bytes) {
        this.bytes = bytes;
    }

    @Override
    public long flinkKey(long key) {
        return 0;
    }

    @Override
    public void open(RuntimeContext context, MemoryPlan thePlan) {
        plan = thePlan;
        state = context.getListState(new ListStateDescriptor<>("one-list", Types.STRING));
    }

    @Override
    public void change(long key) throws Exception {
        state.add(Payload.text(key, 0, bytes));
    }

    /** Reads the whole list when asked for the first key, in the order of the changes. */
    @Override
    public long check(long key) throws Exception {
        if (key > 0) {
            return plan.changesOf(key);
        }
        long number = 0;
        for (String element : state.get()) {
            long expected = plan.key(number);
            Workload.require(element.equals(Payload.text(expected, 0, bytes)), expected, element);
            number++;
        }
        Workload.require(number == plan.changes(), 0, number);
        return plan.changesOf(0);
    }
}
