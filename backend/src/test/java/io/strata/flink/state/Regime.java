/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.engine.StoreTuning;

/** How much of the state is hot while a test runs. */
enum Regime {
    /** Nothing is ever flushed. */
    HOT(new StoreTuning(0, false, false, 32), 1L << 30),
    /** Every few operations all is flushed, compacted and evicted. */
    COLD(new StoreTuning(3, true, true, 32), 1L << 30),
    /** Flushes and evictions as production does them, with a budget for a part of the state. */
    MIXED(new StoreTuning(0, false, false, 32), 4 << 10),
    /** Every operation begins with everything flushed and evicted. */
    FORGETFUL(new StoreTuning(1, true, false, 32), 1L << 30),
    /** As MIXED, with a budget for tests of large lists and maps. */
    SMALL_HEAP(new StoreTuning(0, false, false, 32), 256 << 10),
    /** Flushes without evictions: entries are frozen, clean and dirty by turns. */
    FLUSHED(new StoreTuning(5, false, false, 32), 1L << 30);

    final StoreTuning tuning;
    final long heapBytes;

    Regime(StoreTuning tuning, long heapBytes) {
        this.tuning = tuning;
        this.heapBytes = heapBytes;
    }
}
