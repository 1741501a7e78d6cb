/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

/** Hears how far a merge is, from the thread that merges, and may end it or hold it up. */
@FunctionalInterface
public interface MergeWatch {

    /** Tells whether the merge is to be given up; asked now and then. */
    boolean cancelled();

    /** Is told of bytes that were read or written; may wait, so that they are not too many. */
    default void passed(long bytes) {}
}
