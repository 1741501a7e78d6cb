/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.segment.RunView;
import io.strata.flink.segment.Segment;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Checks what must hold in a {@link TieredStore} between any two operations. For tests, which run
 * it after every case: it visits every hot entry. Task thread only.
 */
public final class StoreInvariants {

    private StoreInvariants() {}

    /**
     * Checks everything.
     *
     * @throws IllegalStateException naming the first thing that does not hold
     */
    public static void check(TieredStore store) {
        long tableBytes = 0;
        for (TieredTable<?, ?> table : store.tables()) {
            table.checkStructure();
            tableBytes += table.hotBytes();
            require(
                    table.hotBytes() >= table.evictableBytes() && table.evictableBytes() >= 0,
                    "State %s could evict %d of %d bytes",
                    table.stateName(),
                    table.evictableBytes(),
                    table.hotBytes());
        }
        require(
                tableBytes == store.hotBytes().bytes(),
                "The tables hold %d bytes, the store counts %d",
                tableBytes,
                store.hotBytes().bytes());
        require(
                store.clock().inFlight() == (store.flushesInFlight() > 0),
                "The clock is at %d of %d with %d flushes in flight",
                store.clock().flushed(),
                store.clock().current(),
                store.flushesInFlight());
        checkRuns(store);
    }

    /** Every run in use holds a reference to its segment and shows only key groups of the store. */
    private static void checkRuns(TieredStore store) {
        Map<Segment, Integer> uses = new IdentityHashMap<>();
        for (TableRuns table : store.allRuns()) {
            for (RunView view : table.current().newestFirst()) {
                uses.merge(view.run().segment(), 1, Integer::sum);
                KeyGroupSpan clip = view.clip();
                require(
                        store.keyGroups().containsAll(clip),
                        "A run of state %s shows key groups %s of a store of %s",
                        table.stateName(),
                        clip,
                        store.keyGroups());
                require(
                        view.run().spec().stateName().equals(table.stateName()),
                        "State %s holds a run of state %s",
                        table.stateName(),
                        view.run().spec().stateName());
            }
        }
        uses.forEach(
                (segment, count) ->
                        require(
                                segment.references() >= count,
                                "Segment %s has %d references and %d runs in use",
                                segment.id(),
                                segment.references(),
                                count));
    }

    private static void require(boolean holds, String message, Object... values) {
        if (!holds) {
            throw new IllegalStateException(message.formatted(values));
        }
    }
}
