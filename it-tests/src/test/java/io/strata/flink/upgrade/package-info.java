/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Jobs of earlier versions of Flink that go on with Strata. */
package io.strata.flink.upgrade;
