/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.evolution;

import io.strata.flink.StrataOptions;
import io.strata.flink.StrataStateBackend;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;

/** The backends that jobs of these tests run on. */
enum Backends {
    /** Only checkpoints flush, nothing is evicted. */
    HOT {
        @Override
        StateBackend create() {
            return strata(new Configuration());
        }
    },
    /** Every few operations all is flushed and evicted; nothing is compacted. */
    COLD {
        @Override
        StateBackend create() {
            Configuration options = new Configuration();
            options.set(StrataOptions.DEBUG_FLUSH_EVERY_OPERATIONS, 7);
            options.set(StrataOptions.DEBUG_EVICT_ALL, true);
            return strata(options);
        }
    },
    /** As cold, and every flush compacts. */
    COMPACTING {
        @Override
        StateBackend create() {
            Configuration options = new Configuration();
            options.set(StrataOptions.DEBUG_FLUSH_EVERY_OPERATIONS, 7);
            options.set(StrataOptions.DEBUG_EVICT_ALL, true);
            options.set(StrataOptions.DEBUG_COMPACT_EVERY_FLUSH, true);
            return strata(options);
        }
    },
    /** A heap of 1 MiB, so that a list is streamed from 64 KiB on; every flush compacts. */
    SMALL {
        @Override
        StateBackend create() {
            Configuration options = new Configuration();
            options.set(StrataOptions.HOT_SIZE, MemorySize.ofMebiBytes(1));
            options.set(StrataOptions.DEBUG_COMPACT_EVERY_FLUSH, true);
            return strata(options);
        }
    },
    HASHMAP {
        @Override
        StateBackend create() {
            return new HashMapStateBackend();
        }
    },
    ROCKSDB {
        @Override
        StateBackend create() {
            return new EmbeddedRocksDBStateBackend(true);
        }
    };

    abstract StateBackend create();

    static StrataStateBackend strata(Configuration options) {
        if (!options.contains(StrataOptions.HOT_SIZE)) {
            options.set(StrataOptions.HOT_SIZE, MemorySize.ofMebiBytes(16));
        }
        return new StrataStateBackend().configure(options, Backends.class.getClassLoader());
    }
}
