/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyValueStateIterator;

/** All entries of a savepoint in the order of the canonical form: by key group, then by state. */
final class SavepointIterator implements KeyValueStateIterator {

    private final List<SavedEntries> states;
    private final Iterator<Integer> keyGroups;
    private int keyGroup = -1;

    /** The position in {@link #states}; at their end the next key group comes. */
    private int position;

    private boolean newKeyGroup;
    private boolean newState;
    private boolean valid = true;

    /** Creates it on the first entry, if there is any. */
    SavepointIterator(List<SavedEntries> states, KeyGroupRange keyGroups) throws IOException {
        this.states = states;
        this.keyGroups = keyGroups.iterator();
        this.position = states.size();
        next();
    }

    @Override
    public void next() throws IOException {
        newKeyGroup = false;
        newState = false;
        while (position == states.size() || !states.get(position).next(keyGroup)) {
            if (position < states.size()) {
                position++;
            } else if (keyGroups.hasNext()) {
                keyGroup = keyGroups.next();
                position = 0;
                newKeyGroup = true;
            } else {
                valid = false;
                return;
            }
            newState = true;
        }
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public int keyGroup() {
        return keyGroup;
    }

    @Override
    public int kvStateId() {
        return states.get(position).stateId();
    }

    @Override
    public boolean isNewKeyGroup() {
        return newKeyGroup;
    }

    @Override
    public boolean isNewKeyValueState() {
        return newState;
    }

    @Override
    public byte[] key() {
        return states.get(position).key();
    }

    @Override
    public byte[] value() {
        return states.get(position).value();
    }

    /** Does nothing: the segments belong to the {@link SavepointSnapshot}. */
    @Override
    public void close() {}
}
