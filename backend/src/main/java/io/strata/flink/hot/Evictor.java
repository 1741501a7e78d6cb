/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Decides which nodes of one table leave the heap: S3-FIFO (Yang et al., "FIFO queues are all you
 * need for cache eviction", SOSP 2023) with a CLOCK hand in the place of its main queue.
 *
 * <p>A node starts on probation, in a short queue. When it is the oldest there, it moves to the
 * main part if it was found meanwhile, and leaves otherwise. In the main part the hand, which goes
 * in hash order, takes nodes without hits and takes a hit from the others. Of a node that left a
 * fingerprint stays for a while; if it comes back meanwhile, it starts in the main part. Nobody is
 * on probation before the first eviction: a table that fits pays nothing. Task thread only.
 *
 * @param <E> {@link HotEntry} or {@link HotSlot}
 */
final class Evictor<E extends HotNode> {

    /** The part of the nodes that is on probation when nodes have to leave. */
    private static final int PROBATION_PART = 20;

    /** The part of the nodes that may be on probation: those changed lately cannot leave yet. */
    private static final int MAX_PROBATION_PART = 4;

    private static final int MIN_PROBATION = 16;

    private final EpochTable<E> table;
    private final GhostTable ghosts;
    private final ProbationRing ring;
    private final Admission admission;

    /** Null where namespaces have no deadlines. */
    private NearDeadlines<E> deadlines;

    /** Whether anything was ever evicted. */
    private boolean begun;

    Evictor(EpochTable<E> table, ByteLedger ledger) {
        this.table = table;
        this.ghosts = new GhostTable(ledger);
        this.ring = new ProbationRing(ledger);
        this.admission = new Admission(ghosts);
    }

    /** Lets nodes stay whose namespaces end soon. */
    void useDeadlines(ToLongFunction<E> deadlineOf) {
        deadlines = new NearDeadlines<>(deadlineOf);
    }

    void countHit() {
        admission.countHit();
    }

    /** Whether the node of this place, loaded from below, is to be kept. */
    boolean admits(long place) {
        return admission.admits(place, table.entries());
    }

    /** A new node, no tombstone, has been linked and accounted for. */
    void admitted(E node) {
        if (!begun) {
            return;
        }
        long place = table.placeOf(node);
        if (ghosts.remove(place)) {
            return;
        }
        if (ring.size() >= Math.max(MIN_PROBATION, table.entries() / MAX_PROBATION_PART)) {
            E oldest = table.onProbation(ring.poll());
            if (oldest != null) {
                oldest.bits &= ~HotNode.PROBATION;
            }
        }
        node.bits |= HotNode.PROBATION;
        ring.add(place);
    }

    /**
     * Evicts about {@code wantedBytes}.
     *
     * @return the heap bytes freed; less than wanted when the rest is dirty
     */
    long evict(long wantedBytes) {
        if (!mayFree()) {
            return 0;
        }
        begun = true;
        admission.evicting();
        ghosts.fit(table.entries());
        ring.fit();
        long freed = table.sweepTombstones(wantedBytes);
        if (freed >= wantedBytes) {
            return freed;
        }
        if (table.canTrim() || wantedBytes - freed < table.evictableBytes()) {
            freed += pass(wantedBytes - freed, false);
        }
        return freed < wantedBytes ? freed + pass(wantedBytes - freed, true) : freed;
    }

    /**
     * One search for nodes to take.
     *
     * @param anyClean whether hits protect nobody
     */
    private long pass(long wantedBytes, boolean anyClean) {
        long freed = 0;
        long ringVisits = ring.size();
        long handVisits = maxVisits(anyClean);
        while (freed < wantedBytes && ringVisits + handVisits > 0 && mayFree()) {
            boolean ringIsLong = ring.size() > table.entries() / PROBATION_PART;
            if (ringVisits > 0 && (ringIsLong || handVisits == 0)) {
                ringVisits--;
                freed += fromRing(anyClean);
            } else if (handVisits > 0) {
                handVisits--;
                freed += fromHand(anyClean);
            }
        }
        return freed;
    }

    /**
     * The nodes that the hand visits at most: one turn for each hit that a node may have, one that
     * takes it, and what is left over is for nodes that were linked or left behind the hand while
     * it was in their bucket.
     */
    private long maxVisits(boolean anyClean) {
        return (anyClean ? 2 : 2 + HotNode.MAX_HITS) * table.nodesAtHand() + 16;
    }

    private boolean mayFree() {
        return table.canTrim() || table.evictableBytes() > 0;
    }

    private long fromRing(boolean anyClean) {
        long place = ring.poll();
        E node = table.onProbation(place);
        if (node == null) {
            return 0;
        }
        if (!anyClean && (node.hits() > 0 || node.isTombstone())) {
            node.bits &= ~HotNode.PROBATION;
            return 0;
        }
        if (!table.isClean(node)) {
            ring.add(place);
            return table.trim(node);
        }
        if (!anyClean && isSpared(node)) {
            node.bits &= ~HotNode.PROBATION;
            return 0;
        }
        ghosts.add(place);
        return table.take(node);
    }

    private long fromHand(boolean anyClean) {
        E node = table.nextAtHand();
        if (node == null || node.isDetached()) {
            return 0;
        }
        if (node.has(HotNode.PROBATION) && !node.isTombstone()) {
            return 0; // the ring comes to it
        }
        boolean clean = table.isClean(node);
        if (!anyClean && node.hits() > 0 && !node.isTombstone()) {
            if (clean || table.canTrim()) {
                node.forgetHit();
            }
            return 0;
        }
        if (!clean) {
            return table.trim(node);
        }
        if (node.isTombstone()) {
            return table.take(node);
        }
        if (!anyClean && isSpared(node)) {
            return 0;
        }
        ghosts.add(table.placeOf(node));
        return table.take(node);
    }

    private boolean isSpared(E node) {
        return deadlines != null && deadlines.spares(node);
    }

    /** Heap bytes of what is kept to decide. */
    long bytes() {
        return ghosts.bytes() + ring.bytes();
    }

    /** Throws unless every node on probation is in the ring. For tests. */
    void checkStructure(Iterable<E> nodes) {
        Map<Long, Integer> places = new HashMap<>();
        ring.forEach(place -> places.merge(place, 1, Integer::sum));
        for (E node : nodes) {
            if (node.has(HotNode.PROBATION)
                    && places.merge(table.placeOf(node), -1, Integer::sum) < 0) {
                throw new IllegalStateException("On probation, but not in the ring: " + node);
            }
        }
    }
}
