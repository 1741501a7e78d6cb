/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import java.util.List;
import org.apache.flink.api.common.functions.RuntimeContext;

/** Keys of the plan dealt out to workloads of every type in one operator. */
final class AllTypes implements Workload {

    private static final long serialVersionUID = 1L;

    private final List<Workload> workloads;

    AllTypes(int bytes) {
        this.workloads =
                List.of(
                        new ValueWorkload<>(Contents.longs()),
                        new ValueWorkload<>(Contents.strings(bytes)),
                        new ValueWorkload<>(Contents.pojos(bytes)),
                        new ValueWorkload<>(Contents.nested(bytes)),
                        new ValueWorkload<>(Contents.bytes(bytes)),
                        new ValueWorkload<>(Contents.rows(bytes)),
                        new ValueWorkload<>(Contents.kryo(bytes)),
                        new GrowingList(bytes),
                        new GrowingMap(bytes));
    }

    @Override
    public void open(RuntimeContext context, MemoryPlan plan) {
        workloads.forEach(workload -> workload.open(context, plan));
    }

    @Override
    public void change(long key) throws Exception {
        workload(key).change(key);
    }

    @Override
    public long check(long key) throws Exception {
        return workload(key).check(key);
    }

    private Workload workload(long key) {
        return workloads.get((int) (key % workloads.size()));
    }
}
