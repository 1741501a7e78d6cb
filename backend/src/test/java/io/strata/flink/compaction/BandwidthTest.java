/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A limit by a clock that moves only when somebody sleeps, or the test says so. */
class BandwidthTest {

    private static final long RATE = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    private final SimulatedClock clock = new SimulatedClock();
    private final Bandwidth bandwidth = new Bandwidth(RATE, clock);

    @Test
    void takesAsLongAsTheRateSays() {
        for (int i = 0; i < 100; i++) {
            bandwidth.take(RATE / 10, () -> false);
        }
        assertThat(clock.slept).isBetween(10 * SECOND - Bandwidth.BURST_NANOS, 10 * SECOND);
    }

    /** A long pause does not allow more than a burst. */
    @Test
    void aPauseIsNotMadeUpFor() {
        bandwidth.take(RATE, () -> false);
        clock.now += 100 * SECOND;
        clock.slept = 0;
        bandwidth.take(RATE, () -> false);
        assertThat(clock.slept).isEqualTo(SECOND - Bandwidth.BURST_NANOS);
    }

    @Test
    void whoIsSlowerThanTheRateNeverWaits() {
        for (int i = 0; i < 100; i++) {
            clock.now += SECOND / 100;
            bandwidth.take(RATE / 110, () -> false);
        }
        assertThat(clock.slept).isZero();
    }

    @Test
    void hurryWaitsForNothingAndOwesNothing() {
        bandwidth.take(100 * RATE, () -> true);
        assertThat(clock.slept).isZero();
        bandwidth.take(RATE, () -> false);
        assertThat(clock.slept).isLessThanOrEqualTo(SECOND);
    }

    /** A store that is closed, or has fallen behind, gets away from a wait. */
    @Test
    void hurryEndsAWait() {
        AtomicInteger looks = new AtomicInteger();
        bandwidth.take(100 * RATE, () -> looks.getAndIncrement() == 5);
        assertThat(clock.slept).isLessThan(SECOND);
    }

    @Test
    void withoutALimitNobodyWaits() {
        new Bandwidth(0, clock).take(Long.MAX_VALUE, () -> false);
        assertThat(clock.slept).isZero();
    }

    private static final class SimulatedClock implements BandwidthClock {

        private long now = -7;
        private long slept;

        @Override
        public long nanos() {
            return now;
        }

        @Override
        public void sleep(long nanos) {
            now += nanos;
            slept += nanos;
        }
    }
}
