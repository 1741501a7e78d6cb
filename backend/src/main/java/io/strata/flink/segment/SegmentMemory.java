/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Where the indexes and the filters of open segments are kept.
 *
 * <p>Both grow with the state, so they must not lie on the heap of a process that is to hold any
 * amount of it. Any thread may call.
 */
public interface SegmentMemory {

    /** The heap, without a limit: for tests, and for segments that live shortly. */
    SegmentMemory HEAP =
            new SegmentMemory() {
                @Override
                public Piece forIndex(int bytes) {
                    return onHeap(bytes);
                }

                @Override
                public Piece forFilters(int bytes) {
                    return onHeap(bytes);
                }

                @Override
                public Closeable expectFilters(long bytes) {
                    return () -> {};
                }
            };

    /** A piece of memory with one owner. */
    interface Piece {

        /** Returns the memory: little-endian, from index 0 on. */
        ByteBuffer buffer();

        /** Gives it back; called once, when nobody uses the buffer any more. */
        void free();
    }

    /** Returns memory for an index, which no lookup can do without. */
    Piece forIndex(int bytes);

    /** Returns memory for filters, or null when there is none to spare. */
    Piece forFilters(int bytes);

    /**
     * Tells that filters of about so many bytes will be asked for, so that room can be made until
     * then; to be closed when they were.
     */
    Closeable expectFilters(long bytes);

    private static Piece onHeap(int bytes) {
        ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return new Piece() {
            @Override
            public ByteBuffer buffer() {
                return buffer;
            }

            @Override
            public void free() {}
        };
    }
}
