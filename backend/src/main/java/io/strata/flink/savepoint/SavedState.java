/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import io.strata.flink.compaction.Expiry;
import io.strata.flink.compaction.ValueRules;
import javax.annotation.Nullable;

/**
 * One keyed state of a savepoint.
 *
 * @param id its position in the savepoint's meta info
 * @param name the name that it is registered under
 * @param rules brings its values into one schema, that of the meta info
 * @param filter says which of its entries are written, null when all are
 */
record SavedState(int id, String name, @Nullable EntryFilter filter, ValueRules rules) {

    /**
     * Task thread only.
     *
     * @param expiry of the state, for the thread that writes
     */
    static SavedState of(int id, SavepointSource.State state, Expiry expiry) {
        return new SavedState(
                id,
                state.metaInfo().getName(),
                EntryFilters.of(state.metaInfo(), expiry),
                state.rules());
    }
}
