/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.util.Random;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.ConfigurableStateBackend;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;

/** Flink's heap backend: the model. */
class HashMapUnderTest implements BackendUnderTest {

    @Override
    public String name() {
        return "hashmap";
    }

    @Override
    public Options draw(Random random) {
        return new Options(new Configuration(), 1 << 20);
    }

    @Override
    public ConfigurableStateBackend create(Configuration configuration) {
        return new HashMapStateBackend().configure(configuration, getClass().getClassLoader());
    }

    @Override
    public boolean has(Ability ability) {
        return ability != Ability.REFUSES_WHOLE_LISTS && ability != Ability.CANONICAL_SAVEPOINTS;
    }
}
