/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/**
 * A chained hash table with incremental rehash, both ways. Its array and the one it is rehashed
 * from are indexed by the top bits of the hash; old buckets below {@link #moved} are empty. Every
 * operation moves a few old buckets until none is left. Task thread only.
 *
 * @param <E> class of the nodes
 */
final class ChainTable<E extends ChainNode> implements HashIntervals {

    private static final int MIN_CAPACITY = 16;
    private static final int MAX_CAPACITY = 1 << 30;
    private static final int MOVED_NODES_PER_STEP = 4;
    private static final int MOVED_BUCKETS_PER_STEP = 16;

    private final ByteLedger ledger;
    private ChainNode[] table = new ChainNode[MIN_CAPACITY];
    private int shift = shift(MIN_CAPACITY);

    /** Null unless a rehash is under way. */
    private ChainNode[] old;

    private int oldShift;
    private int moved;
    private int size;

    ChainTable(ByteLedger ledger) {
        this.ledger = ledger;
        ledger.structure(bytes());
    }

    int size() {
        return size;
    }

    /** The chain that holds all nodes of this hash; moves a rehash on. */
    ChainNode chain(int hash) {
        if (old != null) {
            step();
            return head(hash);
        }
        return table[hash >>> shift];
    }

    /**
     * The chain of this hash for a thread other than the task's: may be the wrong one while a
     * rehash goes on, but never fails.
     */
    ChainNode peek(int hash) {
        ChainNode[] from = old;
        if (from != null && Chains.index(from, hash) >= moved) {
            return from[Chains.index(from, hash)];
        }
        ChainNode[] array = table;
        return array[Chains.index(array, hash)];
    }

    void link(ChainNode node) {
        ChainNode[] array = arrayOf(node.hash);
        int index = node.hash >>> shiftOf(array);
        node.next = array[index];
        array[index] = node;
        size++;
        if (size > table.length - (table.length >>> 2)
                && old == null
                && table.length < MAX_CAPACITY) {
            rehash(table.length * 2);
        }
    }

    void unlink(ChainNode node) {
        Chains.unlink(arrayOf(node.hash), node);
        size--;
        if (size < table.length >>> 3 && old == null && table.length > MIN_CAPACITY) {
            rehash(Math.max(MIN_CAPACITY, table.length >>> 2));
        }
    }

    /** Puts {@code by}, of the same hash, in the place of {@code node}. */
    void replace(ChainNode node, ChainNode by) {
        Chains.replace(arrayOf(node.hash), node, by);
    }

    @Override
    public long end(long position) {
        long width = 1L << (old == null ? shift : Math.min(shift, oldShift));
        return (position & -width) + width;
    }

    @Override
    public ChainNode head(long position) {
        return head((int) position);
    }

    /** Heap bytes of the arrays. */
    long bytes() {
        return bytes(table) + (old == null ? 0 : bytes(old));
    }

    private ChainNode head(int hash) {
        ChainNode[] array = arrayOf(hash);
        return array[hash >>> shiftOf(array)];
    }

    private ChainNode[] arrayOf(int hash) {
        return old != null && hash >>> oldShift >= moved ? old : table;
    }

    private int shiftOf(ChainNode[] array) {
        return array == table ? shift : oldShift;
    }

    private void rehash(int capacity) {
        old = table;
        oldShift = shift;
        moved = 0;
        table = new ChainNode[capacity];
        shift = shift(capacity);
        ledger.structure(bytes(table));
    }

    private void step() {
        int nodes = 0;
        int last = Math.min(old.length, moved + MOVED_BUCKETS_PER_STEP);
        while (moved < last && nodes < MOVED_NODES_PER_STEP) {
            ChainNode node = old[moved];
            old[moved++] = null;
            while (node != null) {
                ChainNode next = node.next;
                int index = node.hash >>> shift;
                node.next = table[index];
                table[index] = node;
                node = next;
                nodes++;
            }
        }
        if (moved == old.length) {
            ledger.structure(-bytes(old));
            old = null;
        }
    }

    private static int shift(int capacity) {
        return Integer.numberOfLeadingZeros(capacity - 1);
    }

    private static long bytes(ChainNode[] array) {
        return HeapLayout.CURRENT.referenceArrayBytes(array.length);
    }

    /** Throws unless every node is where its hash says and the count is right. */
    void checkStructure() {
        int found = 0;
        for (int i = 0; i < table.length; i++) {
            found += Chains.check(table, i, node -> arrayOf(node.hash) == table);
        }
        for (int i = 0; old != null && i < old.length; i++) {
            found += Chains.check(old, i, node -> arrayOf(node.hash) == old);
        }
        if (found != size) {
            throw new IllegalStateException("Table counts " + size + " nodes, holds " + found);
        }
    }
}
