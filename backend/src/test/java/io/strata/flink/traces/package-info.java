/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Traces of accesses to state, for the tests of what is kept in memory. */
package io.strata.flink.traces;
