/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import io.strata.flink.StrataOptions;
import io.strata.flink.StrataStateBackend;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.state.ConfigurableStateBackend;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend.PriorityQueueStateType;
import org.apache.flink.state.rocksdb.RocksDBOptions;

/** The backends that write and read savepoints in the tests. */
final class WrittenBackends {

    private WrittenBackends() {}

    static ConfigurableStateBackend hashMap() {
        return new HashMapStateBackend();
    }

    static ConfigurableStateBackend rocksDb() {
        Configuration configuration = new Configuration();
        configuration.set(RocksDBOptions.TIMER_SERVICE_FACTORY, PriorityQueueStateType.HEAP);
        return new EmbeddedRocksDBStateBackend()
                .configure(configuration, WrittenBackends.class.getClassLoader());
    }

    /** Strata with nothing ever flushed but by snapshots. */
    static ConfigurableStateBackend allHot() {
        return strata(0, false, false);
    }

    /** Strata with everything evicted and compacted every few operations. */
    static ConfigurableStateBackend allCold(int flushEveryOperations) {
        return strata(flushEveryOperations, true, true);
    }

    /** Strata with many runs below a hot tier. */
    static ConfigurableStateBackend mixed(int flushEveryOperations) {
        return strata(flushEveryOperations, false, false);
    }

    private static ConfigurableStateBackend strata(
            int flushEveryOperations, boolean evictAll, boolean compact) {
        Configuration configuration = new Configuration();
        configuration.set(StrataOptions.HOT_SIZE, MemorySize.parse("8mb"));
        configuration.set(StrataOptions.PAGE_SIZE, MemorySize.parse("1kb"));
        configuration.set(StrataOptions.DEBUG_FLUSH_EVERY_OPERATIONS, flushEveryOperations);
        configuration.set(StrataOptions.DEBUG_EVICT_ALL, evictAll);
        configuration.set(StrataOptions.DEBUG_COMPACT_EVERY_FLUSH, compact);
        return new StrataStateBackend()
                .configure(configuration, WrittenBackends.class.getClassLoader());
    }
}
