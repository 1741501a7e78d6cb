/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

/**
 * What the bytes of one state's values mean to those who see only bytes: merges and savepoints.
 *
 * <p>Immutable; any thread may ask, and what it is given belongs to it alone (I9).
 */
public interface ValueRules {

    /** The rules of values that nobody needs to understand. */
    ValueRules NONE = () -> 0;

    /** Returns the schema in which values are written now. */
    long schemaId();
}
