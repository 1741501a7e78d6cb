/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

/**
 * A walk over what a table has on the heap, which tolerates any change of the table meanwhile and
 * leaves hotness as it is. Task thread only.
 *
 * @param <K> the type of the keys
 * @param <N> the type of the namespaces
 * @param <V> what is met: a value, a whole list, or some entries of a map
 */
public interface HotWalk<K, N, V> {

    /** Moves on; false at the end. */
    boolean next();

    /** Returns the key of what {@link #next()} moved to. */
    K key();

    /** Returns the namespace of what {@link #next()} moved to. */
    N namespace();

    /** Returns the live object that {@link #next()} moved to, which must not be changed. */
    V value();
}
