/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Flink's own conformance tests, {@link org.apache.flink.runtime.state.StateBackendTestBase}, and
 * {@link org.apache.flink.runtime.state.ttl.TtlStateTestBase}, on Strata in three regimes:
 * everything hot, everything cold at once, and mixed.
 */
package io.strata.flink.conformance;
