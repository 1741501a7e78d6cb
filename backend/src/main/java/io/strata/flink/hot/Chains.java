/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.util.function.Predicate;

/** Changes of arrays of chains that are indexed by the top bits of the hash. */
final class Chains {

    private Chains() {}

    static int index(ChainNode[] array, int hash) {
        return hash >>> Integer.numberOfLeadingZeros(array.length - 1);
    }

    static void unlink(ChainNode[] array, ChainNode node) {
        relink(array, node, node.next);
        node.detach();
    }

    static void replace(ChainNode[] array, ChainNode node, ChainNode by) {
        by.next = node.next;
        relink(array, node, by);
        node.detach();
    }

    private static void relink(ChainNode[] array, ChainNode node, ChainNode successor) {
        int index = index(array, node.hash);
        ChainNode previous = array[index];
        if (previous == node) {
            array[index] = successor;
            return;
        }
        while (previous != null && previous.next != node) {
            previous = previous.next;
        }
        if (previous == null) {
            throw new IllegalStateException("Stale handle: " + node);
        }
        previous.next = successor;
    }

    /** The number of nodes in one chain; throws if one of them does not belong there. */
    static int check(ChainNode[] array, int index, Predicate<ChainNode> belongs) {
        int count = 0;
        for (ChainNode node = array[index]; node != null; node = node.next) {
            if (node.isDetached() || index(array, node.hash) != index || !belongs.test(node)) {
                throw new IllegalStateException("Node in the wrong chain: " + node);
            }
            count++;
        }
        return count;
    }
}
