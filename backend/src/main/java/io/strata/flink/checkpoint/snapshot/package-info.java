/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** The taking of checkpoints, from the task thread's part to the handle that Flink gets. */
package io.strata.flink.checkpoint.snapshot;
