/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * The hit ratios of the hot tables on traces of accesses, next to those of LRU, CLOCK and W-TinyLFU
 * with the same number of entries. {@code -Dstrata.print} prints the table of adr/0008.
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
