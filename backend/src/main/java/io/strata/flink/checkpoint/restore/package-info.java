/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The restoring of a backend from the handles of any number of tasks, native and canonical ones.
 */
package io.strata.flink.checkpoint.restore;
