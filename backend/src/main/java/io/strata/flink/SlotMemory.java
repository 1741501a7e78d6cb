/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import io.strata.flink.pagecache.PageMemory;
import io.strata.flink.pagecache.Slab;
import io.strata.flink.pagecache.SlabAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.runtime.memory.MemoryManager;
import org.apache.flink.runtime.memory.OpaqueMemoryResource;

/**
 * The page memory of one slot, shared by all keyed backends in it: Flink's managed memory, reserved
 * once and to the byte.
 */
final class SlotMemory {

    /** Page memory of a backend in a slot without managed memory: enough for the hottest pages. */
    static final long UNMANAGED_BYTES = 4L << 20;

    private static final String RESOURCE_NAME = "strata-page-memory";

    private SlotMemory() {}

    /**
     * Returns the page memory of the slot, reserved when the first backend asks for it; the last
     * one that closes it gives it back.
     *
     * @param fraction the part of the slot's managed memory that is meant for state backends; 0
     *     when there is none
     * @throws IOException if the managed memory is taken
     */
    static OpaqueMemoryResource<PageMemory> acquire(MemoryManager manager, double fraction)
            throws IOException {
        if (fraction <= 0) {
            PageMemory own = new PageMemory(UNMANAGED_BYTES, unsafeMemory());
            return new OpaqueMemoryResource<>(own, UNMANAGED_BYTES, own::close);
        }
        try {
            return manager.getSharedMemoryResourceForManagedMemory(
                    RESOURCE_NAME, bytes -> new PageMemory(bytes, unsafeMemory()), fraction);
        } catch (Exception e) {
            throw new IOException(
                    "Cannot get the managed memory of the slot for the page cache: "
                            + e.getMessage(),
                    e);
        }
    }

    /** Memory outside the JVM's limit for direct memory, as Flink allocates its own. */
    private static SlabAllocator unsafeMemory() {
        return bytes -> {
            MemorySegment segment = MemorySegmentFactory.allocateOffHeapUnsafeMemory(bytes);
            ByteBuffer buffer = segment.getOffHeapBuffer();
            return new Slab() {
                @Override
                public ByteBuffer buffer() {
                    return buffer;
                }

                @Override
                public void free() {
                    segment.free();
                }
            };
        };
    }
}
