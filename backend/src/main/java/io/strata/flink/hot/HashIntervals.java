/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/** Something that chains nodes by intervals of their hashes. */
interface HashIntervals {

    /** The first position after the smallest bucket that contains {@code position}. */
    long end(long position);

    /**
     * The chain that holds all nodes with hashes from {@code position} to its {@link #end}; it may
     * hold others too.
     */
    ChainNode head(long position);
}
