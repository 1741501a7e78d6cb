/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.pagecache;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/** Counts slabs that are out, and spoils what is in a slab when it is freed. */
final class CountingSlabs implements SlabAllocator {

    private final AtomicLong liveBytes = new AtomicLong();
    private final AtomicLong peakBytes = new AtomicLong();

    @Override
    public Slab allocate(int bytes) {
        long live = liveBytes.addAndGet(bytes);
        peakBytes.accumulateAndGet(live, Math::max);
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
        return new Slab() {
            private boolean freed;

            @Override
            public ByteBuffer buffer() {
                return buffer;
            }

            @Override
            public void free() {
                if (freed) {
                    throw new IllegalStateException("a slab was freed twice");
                }
                freed = true;
                liveBytes.addAndGet(-bytes);
                for (int i = 0; i < bytes; i++) {
                    buffer.put(i, (byte) 0xDE);
                }
            }
        };
    }

    long liveBytes() {
        return liveBytes.get();
    }

    long peakBytes() {
        return peakBytes.get();
    }
}
