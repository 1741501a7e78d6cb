/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** What the tests of the formats share. */
package io.strata.flink.format.testing;
