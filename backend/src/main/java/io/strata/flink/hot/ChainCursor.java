/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.util.Arrays;

/**
 * A walk over the nodes of a chained table in hash order, one bucket at a time, that tolerates any
 * change meanwhile. A node that stays linked is returned exactly once, whatever is rehashed; one
 * that was replaced since its bucket was read is returned detached, for the caller to look up
 * again.
 */
final class ChainCursor {

    private static final int FIRST_BUFFER = 4;

    private ChainNode[] buffer = new ChainNode[FIRST_BUFFER];
    private int count;
    private int index;
    private long position;

    /** The next node, or null at the end. */
    ChainNode next(HashIntervals source) {
        while (index == count) {
            if (position == HotHash.END) {
                return null;
            }
            fill(source);
        }
        ChainNode node = buffer[index];
        buffer[index++] = null;
        return node;
    }

    /** Whether the next call of {@link #next} reads the source again. */
    boolean atBucketEnd() {
        return index == count;
    }

    /** Starts again from the first hash. */
    void rewind() {
        Arrays.fill(buffer, null);
        position = 0;
        count = 0;
        index = 0;
    }

    private void fill(HashIntervals source) {
        long end = source.end(position);
        count = 0;
        index = 0;
        for (ChainNode node = source.head(position); node != null; node = node.next) {
            long hash = HotHash.position(node.hash);
            if (hash >= position && hash < end) {
                if (count == buffer.length) {
                    buffer = Arrays.copyOf(buffer, 2 * count);
                }
                buffer[count++] = node;
            }
        }
        position = end;
    }
}
