/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;

/** A list a key that every change makes longer. */
final class GrowingList implements Workload {

    private static final long serialVersionUID = 1L;

    private final int bytes;
    private transient ListState<String> state;

    GrowingList(int bytes) {
        this.bytes = bytes;
    }

    @Override
    public void open(RuntimeContext context, MemoryPlan plan) {
        state = context.getListState(new ListStateDescriptor<>("list", Types.STRING));
    }

    @Override
    public void change(long key) throws Exception {
        state.add(Payload.text(key, 0, bytes));
    }

    @Override
    public long check(long key) throws Exception {
        String expected = Payload.text(key, 0, bytes);
        long count = 0;
        for (String element : state.get()) {
            Workload.require(element.equals(expected), key, element);
            count++;
        }
        return count;
    }
}
