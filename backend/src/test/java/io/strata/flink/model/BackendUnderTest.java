/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.util.Random;
import org.apache.flink.api.common.state.State;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.ConfigurableStateBackend;

/** A state backend as the model test sees it. */
interface BackendUnderTest {

    /** What a backend may lack without being wrong; such operations are then not generated. */
    enum Ability {
        /** State visitors. */
        VISITORS,
        /** {@code numKeyValueStateEntries} counts a map as one entry. */
        COUNTS_MAP_AS_ONE,
        /** Adding null to a reducing or aggregating state clears it. */
        NULL_ADDED_CLEARS,
        /** A list that holds a null is refused as a whole; the heap backend adds a part of it. */
        REFUSES_WHOLE_LISTS,
        /** Lists the keys of several states in one call, be they registered yet or not. */
        KEYS_OF_MANY_STATES,
        /** Timers may be added before those that fired last. */
        TIMERS_OUT_OF_ORDER,
        /** Writes canonical savepoints of any state, null map values too. */
        CANONICAL_SAVEPOINTS,
        /** Cancelled and failed checkpoints leave no file behind. */
        TIDY_CHECKPOINTS,
        /** A stopped backend leaves no local file behind. */
        TIDY_DISK
    }

    /**
     * The options of one seed.
     *
     * @param managedBytes managed memory of the slot
     */
    record Options(Configuration configuration, long managedBytes) {}

    String name();

    /** Draws the options of one seed. */
    Options draw(Random random);

    /** Returns a new backend, configured. */
    ConfigurableStateBackend create(Configuration configuration);

    boolean has(Ability ability);

    /** Returns the state as the operations get it; the identity, but for planted bugs. */
    default State decorate(StateSpec spec, State state) {
        return state;
    }
}
