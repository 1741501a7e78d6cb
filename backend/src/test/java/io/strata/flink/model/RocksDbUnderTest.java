/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.util.Random;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.ConfigurableStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend.PriorityQueueStateType;
import org.apache.flink.state.rocksdb.RocksDBOptions;

/**
 * Flink's RocksDB backend. It shows that the harness accepts a second correct backend; where it
 * differs from the heap backend by intention, {@link #has} says so.
 */
final class RocksDbUnderTest implements BackendUnderTest {

    @Override
    public String name() {
        return "rocksdb";
    }

    @Override
    public Options draw(Random random) {
        Configuration configuration = new Configuration();
        configuration.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, random.nextBoolean());
        configuration.set(RocksDBOptions.TIMER_SERVICE_FACTORY, PriorityQueueStateType.ROCKSDB);
        return new Options(configuration, 16 << 20);
    }

    @Override
    public ConfigurableStateBackend create(Configuration configuration) {
        return new EmbeddedRocksDBStateBackend()
                .configure(configuration, getClass().getClassLoader());
    }

    @Override
    public boolean has(Ability ability) {
        return ability == Ability.REFUSES_WHOLE_LISTS;
    }
}
