/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** A planted copy of the room of this name. */
package io.strata.flink.rules.planted.hot;
