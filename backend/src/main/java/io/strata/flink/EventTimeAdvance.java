/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import io.strata.flink.engine.TieredStore;
import io.strata.flink.ttl.EventTimeClock;
import java.io.IOException;
import org.apache.flink.util.FlinkRuntimeException;

/**
 * Moves the event time of one backend. Task thread only.
 *
 * <p>What was written before event time was first told carries no time. When it is told, all that
 * is hot goes to the cold tier once, for it is there that the time it stands for is filled in.
 */
final class EventTimeAdvance {

    private final EventTimeClock clock;
    private final TieredStore store;

    EventTimeAdvance(EventTimeClock clock, TieredStore store) {
        this.clock = clock;
        this.store = store;
    }

    EventTimeClock clock() {
        return clock;
    }

    void advance(long timestampMillis) {
        if (clock.advance(timestampMillis)) {
            try {
                store.flushAndEvictAll();
            } catch (IOException e) {
                throw new FlinkRuntimeException(
                        "Cannot move the hot tier to the local directory when event time begins",
                        e);
            }
        }
    }
}
