/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.util.Arrays;

/**
 * The nodes dirtied in the current epoch, in chunks: growing copies no list, sealing hands the
 * chunks over. Nodes that vanish stay listed and are skipped; when they are the majority the list
 * is swept, so that keys which come and go within one epoch cost no memory. Task thread only.
 */
final class DirtyList {

    private static final int CHUNK_SHIFT = 10;
    private static final int CHUNK = 1 << CHUNK_SHIFT;
    private static final int FIRST_CHUNK = 16;
    private static final int GROWTH = 4;

    private final ByteLedger ledger;
    private HotNode[][] chunks = new HotNode[1][];
    private int listed;
    private int vanished;
    private long bytes;

    /**
     * An empty list.
     *
     * @param ledger told the bytes of this list as they change
     */
    DirtyList(ByteLedger ledger) {
        this.ledger = ledger;
    }

    /** Lists a node that is not listed in this epoch yet. */
    void add(HotNode node) {
        int chunk = listed >>> CHUNK_SHIFT;
        int index = listed & (CHUNK - 1);
        if (chunk == chunks.length) {
            chunks = Arrays.copyOf(chunks, chunks.length * 2);
        }
        HotNode[] nodes = chunks[chunk];
        if (nodes == null) {
            nodes = chunks[chunk] = new HotNode[chunk == 0 ? FIRST_CHUNK : CHUNK];
            grow(arrayBytes(nodes.length));
        } else if (index == nodes.length) {
            nodes = chunks[chunk] = Arrays.copyOf(nodes, nodes.length * GROWTH);
            grow(arrayBytes(nodes.length) - arrayBytes(index));
        }
        nodes[index] = node;
        listed++;
    }

    /**
     * Notes that a listed node has vanished.
     *
     * @param nodeBytes its heap bytes, without a value
     */
    void vanish(int nodeBytes) {
        vanished++;
        grow(nodeBytes);
        if (vanished > CHUNK && vanished > listed / 2) {
            sweep();
        }
    }

    /** The number of nodes that did not vanish. */
    int size() {
        return listed - vanished;
    }

    /** Heap bytes of the list and of the nodes that only it still holds. */
    long bytes() {
        return bytes;
    }

    /** Hands the list over; it must not be used after that. */
    <E> DirtyEntries<E> handOver(int epoch, long nodeBytes) {
        return new DirtyEntries<>(chunks, listed, size(), epoch, nodeBytes);
    }

    private void sweep() {
        HotNode[][] before = chunks;
        int listedBefore = listed;
        grow(-bytes);
        chunks = new HotNode[1][];
        listed = 0;
        vanished = 0;
        for (int i = 0; i < listedBefore; i++) {
            HotNode node = get(before, i);
            if (!node.has(HotNode.VANISHED)) {
                add(node);
            }
        }
    }

    private void grow(long delta) {
        bytes += delta;
        ledger.structure(delta);
    }

    static HotNode get(HotNode[][] chunks, int position) {
        return chunks[position >>> CHUNK_SHIFT][position & (CHUNK - 1)];
    }

    private static long arrayBytes(int length) {
        return HeapLayout.CURRENT.referenceArrayBytes(length);
    }
}
