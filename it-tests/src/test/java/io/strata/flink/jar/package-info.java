/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Tests of the one jar that a person drops into Flink's {@code lib} folder. */
package io.strata.flink.jar;
