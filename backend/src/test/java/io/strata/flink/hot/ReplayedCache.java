/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import io.strata.flink.traces.AccessTrace;

/** Something that holds a limited number of keys, for the replay of an {@link AccessTrace}. */
interface ReplayedCache {

    /** Reads a key, loading it on a miss, and changes it if asked to; whether it was a hit. */
    boolean access(long key, boolean update);

    /** Writes a key that does not exist. */
    void create(long key);

    /** Deletes a key. */
    void clear(long key);

    /** The hits among the accesses, in percent. A key's creation and deletion read nothing. */
    default double hitPercent(AccessTrace trace) {
        long accesses = 0;
        long hits = 0;
        for (long step : trace.steps()) {
            long key = AccessTrace.key(step);
            switch (AccessTrace.Step.of(step)) {
                case CREATE -> create(key);
                case CLEAR -> clear(key);
                case GET, UPDATE -> {
                    accesses++;
                    if (access(key, AccessTrace.Step.of(step) == AccessTrace.Step.UPDATE)) {
                        hits++;
                    }
                }
            }
        }
        return 100.0 * hits / accesses;
    }
}
