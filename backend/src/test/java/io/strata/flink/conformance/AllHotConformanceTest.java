/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.conformance;

import io.strata.flink.StrataOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;

/** Nothing leaves the heap, and only checkpoints flush. */
class AllHotConformanceTest extends StrataBackendTestBase {

    @Override
    void configure(Configuration configuration) {
        configuration.set(StrataOptions.HOT_SIZE, MemorySize.ofMebiBytes(256));
    }
}
