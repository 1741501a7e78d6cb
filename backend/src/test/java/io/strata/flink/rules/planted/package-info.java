/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Classes that break the rules on purpose, to show that each rule can fail. */
package io.strata.flink.rules.planted;
