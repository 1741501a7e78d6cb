/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Jobs whose state expires by event time, against results computed without Flink. */
package io.strata.flink.eventtime;
