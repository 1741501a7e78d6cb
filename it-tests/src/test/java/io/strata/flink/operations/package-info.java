/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** The commands of docs/operations.md, run as they stand there. */
package io.strata.flink.operations;
