/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.pagecache;

import java.nio.ByteBuffer;

/**
 * Where slabs come from: Flink's managed memory in a task, anything in a test.
 *
 * <p>Called by any thread, one at a time for each {@link PageMemory}.
 */
@FunctionalInterface
public interface SlabAllocator {

    /** Allocates a slab of {@code bytes} bytes. */
    Slab allocate(int bytes);

    /** Returns an allocator of direct buffers, which the garbage collector frees. */
    static SlabAllocator directBuffers() {
        return bytes -> {
            ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
            return new Slab() {
                @Override
                public ByteBuffer buffer() {
                    return buffer;
                }

                @Override
                public void free() {}
            };
        };
    }
}
