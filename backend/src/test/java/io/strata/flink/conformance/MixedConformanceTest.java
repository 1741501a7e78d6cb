/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.conformance;

import io.strata.flink.StrataOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;

/** A budget so small that a part of the state is cold. */
class MixedConformanceTest extends StrataBackendTestBase {

    @Override
    void configure(Configuration configuration) {
        configuration.set(StrataOptions.HOT_SIZE, new MemorySize(64 << 10));
        configuration.set(StrataOptions.DEBUG_FLUSH_EVERY_OPERATIONS, 50);
    }
}
