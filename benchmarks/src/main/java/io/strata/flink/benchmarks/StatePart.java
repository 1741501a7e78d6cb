/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.util.Locale;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/** The key groups of one task, when an operator has one task or two. */
enum StatePart {
    WHOLE(0, BackendSession.KEY_GROUPS - 1),
    FIRST_HALF(0, BackendSession.KEY_GROUPS / 2 - 1),
    SECOND_HALF(BackendSession.KEY_GROUPS / 2, BackendSession.KEY_GROUPS - 1);

    private final KeyGroupRange keyGroups;

    StatePart(int first, int last) {
        this.keyGroups = KeyGroupRange.of(first, last);
    }

    KeyGroupRange keyGroups() {
        return keyGroups;
    }

    /** Tells whether the task has the key. */
    boolean has(long key) {
        return keyGroups.contains(
                KeyGroupRangeAssignment.assignToKeyGroup(key, BackendSession.KEY_GROUPS));
    }

    /** The name of its directory. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
