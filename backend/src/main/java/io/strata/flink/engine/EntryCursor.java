/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import java.io.IOException;

/**
 * A walk over the (key, namespace) pairs that hold state in one table. Task thread only.
 *
 * <p>Every pair that exists from the beginning of the walk to its end is met exactly once; one that
 * appears or vanishes meanwhile is met once or not at all. The table may be changed at any time.
 * Memory is bounded and nothing needs to be closed.
 *
 * @param <K> the type of the keys
 * @param <N> the type of the namespaces
 */
public interface EntryCursor<K, N> {

    /** Moves to the next pair; false at the end. */
    boolean next() throws IOException;

    /** Returns the key of the pair that {@link #next()} moved to. */
    K key();

    /** Returns the namespace of the pair that {@link #next()} moved to. */
    N namespace();
}
