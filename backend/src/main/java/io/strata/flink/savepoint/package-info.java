/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Canonical savepoints, the form that every state backend of Flink reads and writes.
 *
 * <p>Composite keys and values of the cold tier are those of the canonical form byte for byte
 * (packages {@code format.key} and {@code format.state}). So writing one is a merge of runs, key
 * group after key group, and reading one is a sort of its records into runs: no user object is made
 * in either direction.
 */
package io.strata.flink.savepoint;
