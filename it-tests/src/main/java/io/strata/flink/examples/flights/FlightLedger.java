/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Keeps every flight for ever, one key each, so that state grows without end. A flight is looked up
 * again when {@link LedgerEntry#visits} of a later one names it, which for most of them is long
 * after it left the heap.
 */
final class FlightLedger extends KeyedProcessFunction<Long, LedgerEntry, String> {

    private static final long serialVersionUID = 1L;

    private transient ValueState<LedgerEntry> ledger;

    @Override
    public void open(OpenContext context) {
        ledger =
                getRuntimeContext()
                        .getState(new ValueStateDescriptor<>("ledger", LedgerEntry.class));
    }

    @Override
    public void processElement(LedgerEntry entry, Context context, Collector<String> out)
            throws Exception {
        LedgerEntry known = ledger.value();
        if (known == null) {
            ledger.update(entry);
            return;
        }
        LedgerEntry visited = known.visitedBy(entry);
        ledger.update(visited);
        if (entry.visitor() % LedgerEntry.REPORT_EVERY == 0) {
            out.collect("ledger|" + entry.visitor() + "|" + visited);
        }
    }
}
