/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.conformance;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.ttl.StrataTtlStateTestBase;

/** Whatever is clean leaves the heap at once. */
class AllColdTtlConformanceTest extends StrataTtlStateTestBase {

    @Override
    protected void configure(Configuration configuration) {
        allCold(configuration);
    }
}
