/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.traces.AccessTrace;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * The hit ratios of the hot tables on traces of accesses, next to those of LRU, CLOCK and W-TinyLFU
 * with the same number of entries. {@code -Dstrata.print} prints the table of adr/0011.
 */
class EvictionTraceTest {

    /** What hot tables may be worse by, in points: they evict in batches and not what is dirty. */
    private static final double MARGIN = 2;

    private static List<AccessTrace> traces() {
        return List.of(
                AccessTrace.uniform(),
                AccessTrace.zipf(0.8, AccessTrace.Step.GET),
                AccessTrace.zipf(0.99, AccessTrace.Step.GET),
                AccessTrace.zipf(0.99, AccessTrace.Step.UPDATE),
                AccessTrace.zipf(1.2, AccessTrace.Step.GET),
                AccessTrace.scanOverHotSet(),
                AccessTrace.shiftingHotSet(),
                AccessTrace.windows(),
                AccessTrace.sessions());
    }

    @Test
    void hitRatiosAreThoseOfTheField() {
        for (AccessTrace trace : traces()) {
            int capacity = trace.capacity();
            HotReplay<?> values = new HotReplay.Values(capacity);
            HotReplay<?> slots = new HotReplay.Slots(capacity);
            double ofValues = values.hitPercent(trace);
            double ofSlots = slots.hitPercent(trace);
            double reference = new ReferenceCaches.WTinyLfu(capacity).hitPercent(trace);
            print(trace, ofValues, ofSlots, reference);
            values.checkStructure();
            slots.checkStructure();
            assertThat(ofValues).as(trace.name()).isGreaterThan(reference - MARGIN);
            assertThat(ofSlots).as("slots, " + trace.name()).isGreaterThan(reference - MARGIN);
        }
    }

    /** A window about to fire stays longer than one that is far away: the namespace tells. */
    @Test
    void whatIsNeededSoonStays() {
        AccessTrace trace = AccessTrace.buffersNearAndFar();
        int capacity = trace.capacity();
        HotReplay<?> ordered = HotReplay.Values.byDeadlines(capacity);
        double byDeadlines = ordered.hitPercent(trace);
        double blind = new HotReplay.Values(capacity).hitPercent(trace);
        double reference = new ReferenceCaches.WTinyLfu(capacity).hitPercent(trace);
        print(trace, blind, byDeadlines, reference);
        ordered.checkStructure();
        assertThat(byDeadlines).isGreaterThan(Math.max(blind, reference) + 10);

        AccessTrace updated = AccessTrace.windows();
        double values = new HotReplay.Values(updated.capacity()).hitPercent(updated);
        assertThat(HotReplay.Values.byDeadlines(updated.capacity()).hitPercent(updated))
                .isGreaterThan(values);
    }

    /** Whatever the deadlines, the hand finds somebody. */
    @Test
    void deadlinesKeepNobodyForEver() {
        HotTable<Integer, Long> table = new HotTable<>(new EpochClock(), new HotBytes());
        table.useDeadlines(deadline -> deadline);
        for (int key = 0; key < 2000; key++) {
            table.insertClean(key, key < 1000 ? Long.MAX_VALUE : key, "", 0);
        }
        for (int left = 2000; left > 0; left -= 100) {
            assertThat(table.entries()).isEqualTo(left);
            assertThat(table.evict(100 * EpochTable.NODE_BYTES)).isEqualTo(4000);
            table.checkStructure();
        }
    }

    private static void print(
            AccessTrace trace, double ofValues, double ofSlots, double reference) {
        if (System.getProperty("strata.print") != null) {
            int capacity = trace.capacity();
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %.1f | %.1f | %.1f | **%.1f** | %.1f |%n",
                    trace.name(),
                    new ReferenceCaches.Lru(capacity).hitPercent(trace),
                    new ReferenceCaches.Clock(capacity).hitPercent(trace),
                    reference,
                    ofValues,
                    ofSlots);
        }
    }
}
