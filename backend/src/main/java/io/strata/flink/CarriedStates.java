/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import io.strata.flink.engine.ColdSize;
import io.strata.flink.engine.TieredStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells, once, which restored states the job has not registered: they are carried along for ever,
 * unless somebody drops them. Task thread only.
 */
final class CarriedStates {

    private static final Logger LOG = LoggerFactory.getLogger(CarriedStates.class);

    private final StateRegistry registry;
    private final TieredStore store;
    private boolean told;

    CarriedStates(StateRegistry registry, TieredStore store) {
        this.registry = registry;
        this.store = store;
    }

    /** To be called at every checkpoint: by the first, jobs have registered their states. */
    void tellOnce() {
        if (!told) {
            told = true;
            describe().ifPresent(LOG::info);
        }
    }

    /** Returns what is to be told, if there are such states. */
    Optional<String> describe() {
        List<String> carried = new ArrayList<>();
        for (RegistryEntry entry : registry.all()) {
            if (!entry.isRegistered()) {
                String name = entry.metaInfo().getName();
                ColdSize size = store.coldSize(name);
                carried.add(
                        "'%s' (%d records, %d bytes)"
                                .formatted(name, size.records(), size.bytes()));
            }
        }
        return carried.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "The job has not registered these restored states, which are carried along: %s. To drop states that the job no longer has, name them in %s."
                                .formatted(
                                        String.join(", ", carried),
                                        StrataOptions.DROP_STATES.key()));
    }
}
