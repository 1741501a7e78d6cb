/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.engine.HotWalk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.runtime.state.StateEntry;
import org.apache.flink.runtime.state.internal.InternalKvState.StateIncrementalVisitor;
import org.apache.flink.util.FlinkRuntimeException;

/**
 * The visitor for the incremental clean-up of a state with TTL: a walk over what is hot, a few
 * entries at a time, without a look into the cold tier, which compaction cleans and where expired
 * values are not found any more. Tolerates any change of the state meanwhile.
 *
 * <p>Of a map it shows a few entries at a time. Updates are those of Flink's clean-up, which only
 * ever takes elements away.
 */
final class HotVisitor<K, N, SV> implements StateIncrementalVisitor<K, N, SV> {

    private final String stateName;
    private final StateTable<K, N, SV> table;
    private final int batchEntries;
    private final HotWalk<K, N, SV> walk;

    /** Whether the walk stands on an entry that was not returned yet. */
    private boolean pending;

    HotVisitor(String stateName, StateTable<K, N, SV> table, int batchEntries) {
        this.stateName = stateName;
        this.table = table;
        this.batchEntries = Math.max(1, batchEntries);
        this.walk = table.hotWalk(this.batchEntries);
    }

    @Override
    public boolean hasNext() {
        pending = pending || walk.next();
        return pending;
    }

    @Override
    public Collection<StateEntry<K, N, SV>> nextEntries() {
        List<StateEntry<K, N, SV>> batch = new ArrayList<>(Math.min(batchEntries, 64));
        while (batch.size() < batchEntries && hasNext()) {
            pending = false;
            batch.add(
                    new StateEntry.SimpleStateEntry<>(walk.key(), walk.namespace(), walk.value()));
        }
        return batch;
    }

    @Override
    public void remove(StateEntry<K, N, SV> entry) {
        update(entry, null);
    }

    @Override
    public void update(StateEntry<K, N, SV> entry, SV newValue) {
        try {
            table.reduce(entry.getKey(), entry.getNamespace(), entry.getState(), newValue);
        } catch (IOException e) {
            throw new FlinkRuntimeException(
                    "Cannot clean up state '" + stateName + "' with TTL", e);
        }
    }
}
