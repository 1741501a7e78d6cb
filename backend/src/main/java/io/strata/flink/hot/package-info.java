/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** The hot tier: a write-back cache of live objects. Knows no disk. */
package io.strata.flink.hot;
