/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** The files of a checkpoint: what its metadata says, and what was uploaded of each segment. */
package io.strata.flink.checkpoint.files;
