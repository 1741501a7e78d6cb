/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.conformance;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.ttl.StrataTtlStateTestBase;

/** Nothing leaves the heap. */
class AllHotTtlConformanceTest extends StrataTtlStateTestBase {

    @Override
    protected void configure(Configuration configuration) {
        allHot(configuration);
    }
}
