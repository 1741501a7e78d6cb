/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** The segment format. */
package io.strata.flink.format.segment;
