/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import io.strata.flink.checkpoint.snapshot.StrataSnapshotStrategy;
import io.strata.flink.checkpoint.transfer.RestoreStats;
import io.strata.flink.engine.TieredStore;
import io.strata.flink.timers.HeapTimers;
import javax.annotation.Nullable;
import org.apache.flink.util.ResourceGuard;

/**
 * What a keyed backend is put together from.
 *
 * @param store the keyed state
 * @param registry the meta info of the states
 * @param timers the timer queues
 * @param checkpoints takes checkpoints
 * @param inUse held by checkpoints that still read the store's segments
 * @param resources directories, memory and threads, to be closed after the store
 * @param restoreStats what it cost to restore all that
 * @param eventTime moves the clock by which state expires; null when that is the machine's
 */
record BackendParts<K>(
        TieredStore store,
        StateRegistry registry,
        HeapTimers timers,
        StrataSnapshotStrategy<K> checkpoints,
        ResourceGuard inUse,
        BackendResources resources,
        RestoreStats restoreStats,
        @Nullable EventTimeAdvance eventTime) {}
