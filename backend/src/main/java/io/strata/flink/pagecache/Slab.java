/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.pagecache;

import java.nio.ByteBuffer;

/** A piece of memory of its own, outside the heap as a rule. */
public interface Slab {

    /** Returns the memory: as many bytes as were asked for, from index 0 on. */
    ByteBuffer buffer();

    /** Gives the memory back; called once, when nobody uses the buffer any more. */
    void free();
}
