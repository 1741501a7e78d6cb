/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/** A link of a hash chain. Task thread only, whatever else a subclass allows. */
abstract class ChainNode {

    /** The next node of the chain, or this node itself once it has left its table. */
    ChainNode next;

    final int hash;

    ChainNode(int hash) {
        this.hash = hash;
    }

    /** Whether this node has left its table: a handle to it is stale. */
    final boolean isDetached() {
        return next == this;
    }

    final void detach() {
        next = this;
    }
}
