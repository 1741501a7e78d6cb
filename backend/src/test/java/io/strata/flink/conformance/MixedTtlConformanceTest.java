/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.conformance;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.ttl.StrataTtlStateTestBase;

/** A part of the state is cold. */
class MixedTtlConformanceTest extends StrataTtlStateTestBase {

    @Override
    protected void configure(Configuration configuration) {
        mixed(configuration);
    }
}
