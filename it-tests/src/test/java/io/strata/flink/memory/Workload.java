/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import java.io.Serializable;
import org.apache.flink.api.common.functions.RuntimeContext;

/** State of one type that the {@link MemoryJob} changes and checks key by key. */
interface Workload extends Serializable {

    /** Registers the states. */
    void open(RuntimeContext context, MemoryPlan plan);

    /** Returns the key that Flink sees for a key of the plan. */
    default long flinkKey(long key) {
        return key;
    }

    /** Changes the state of a key once more. */
    void change(long key) throws Exception;

    /**
     * Reads all the state of a key.
     *
     * @return how often it was changed
     * @throws IllegalStateException if the state holds anything that these changes did not leave
     */
    long check(long key) throws Exception;

    /** Fails when what a key holds is not what it must hold. */
    static void require(boolean holds, long key, Object found) {
        if (!holds) {
            throw new IllegalStateException("the state of key " + key + " is wrong: " + found);
        }
    }
}
