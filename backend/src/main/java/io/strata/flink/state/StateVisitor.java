/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.engine.EntryCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.runtime.state.StateEntry;
import org.apache.flink.runtime.state.internal.InternalKvState.StateIncrementalVisitor;
import org.apache.flink.util.FlinkRuntimeException;

/**
 * A walk over all entries of one state, a few at a time, that tolerates any change of the state
 * meanwhile. Weakly consistent, as {@link EntryCursor} is; every value returned is the one of that
 * moment.
 */
final class StateVisitor<K, N, SV> implements StateIncrementalVisitor<K, N, SV> {

    private final String stateName;
    private final StateTable<K, N, SV> table;
    private final int batchEntries;
    private final EntryCursor<K, N> cursor;

    /** Whether the cursor stands on an entry that was not returned yet. */
    private boolean pending;

    StateVisitor(String stateName, StateTable<K, N, SV> table, int batchEntries) {
        this.stateName = stateName;
        this.table = table;
        this.batchEntries = Math.max(1, batchEntries);
        try {
            this.cursor = table.tiered().cursor();
        } catch (IOException e) {
            throw failed("visit", e);
        }
    }

    @Override
    public boolean hasNext() {
        try {
            pending = pending || cursor.next();
            return pending;
        } catch (IOException e) {
            throw failed("visit", e);
        }
    }

    @Override
    public Collection<StateEntry<K, N, SV>> nextEntries() {
        List<StateEntry<K, N, SV>> batch = new ArrayList<>(Math.min(batchEntries, 64));
        try {
            while (batch.size() < batchEntries && hasNext()) {
                pending = false;
                K key = cursor.key();
                N namespace = cursor.namespace();
                SV value = table.read(key, namespace);
                if (value != null) {
                    batch.add(new StateEntry.SimpleStateEntry<>(key, namespace, value));
                }
            }
        } catch (IOException e) {
            throw failed("visit", e);
        }
        return batch;
    }

    @Override
    public void remove(StateEntry<K, N, SV> entry) {
        try {
            table.tiered().remove(entry.getKey(), entry.getNamespace());
        } catch (IOException e) {
            throw failed("remove an entry of", e);
        }
    }

    @Override
    public void update(StateEntry<K, N, SV> entry, SV newValue) {
        try {
            table.write(entry.getKey(), entry.getNamespace(), newValue);
        } catch (IOException e) {
            throw failed("update an entry of", e);
        }
    }

    private FlinkRuntimeException failed(String action, IOException cause) {
        return new FlinkRuntimeException("Cannot " + action + " state '" + stateName + "'", cause);
    }
}
