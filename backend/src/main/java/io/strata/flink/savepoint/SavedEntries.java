/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import java.io.IOException;

/** The entries of one state or queue of timers, key group after key group. One thread. */
interface SavedEntries {

    /** Returns the position of the state in the savepoint's meta info. */
    int stateId();

    /**
     * Moves to the next entry of a key group.
     *
     * @param keyGroup never smaller than in the call before
     * @return false when the key group has no more
     */
    boolean next(int keyGroup) throws IOException;

    /** Returns the composite key in an array of its own, which the caller may change. */
    byte[] key();

    /** Returns the value in an array of its own. */
    byte[] value();
}
