/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.conformance;

import io.strata.flink.StrataOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;

/** Whatever is clean leaves the heap at once; flushes and compactions never rest. */
class AllColdConformanceTest extends StrataBackendTestBase {

    @Override
    void configure(Configuration configuration) {
        configuration.set(StrataOptions.HOT_SIZE, MemorySize.ofMebiBytes(1));
        configuration.set(StrataOptions.DEBUG_FLUSH_EVERY_OPERATIONS, 3);
        configuration.set(StrataOptions.DEBUG_EVICT_ALL, true);
        configuration.set(StrataOptions.DEBUG_COMPACT_EVERY_FLUSH, true);
    }
}
