/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import java.util.concurrent.locks.LockSupport;

/** The machine's clock. */
final class SystemBandwidthClock implements BandwidthClock {

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void sleep(long nanos) {
        LockSupport.parkNanos(nanos);
    }
}
