/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/** Recounts what a table's {@link ByteLedger} keeps. For tests. */
final class LedgerCheck {

    private final EpochClock clock;
    private long resident;
    private long notClean;
    private long current;
    private long live;
    private int cleanTombstones;

    LedgerCheck(EpochClock clock) {
        this.clock = clock;
    }

    <E extends HotNode> void check(
            Iterable<E> nodes, EpochTable<E> table, long structure, long liveKept) {
        long count = 0;
        for (E node : nodes) {
            count++;
            add(node, table);
        }
        ByteLedger ledger = table.ledger;
        expect("entries", table.entries(), count);
        expect("live entries", liveKept, live);
        expect("resident bytes", ledger.residentBytes(), resident);
        expect("structure bytes", ledger.structureBytes(), structure);
        expect("bytes of the current epoch", ledger.currentBytes(), current);
        expect("evictable bytes", ledger.evictableBytes(), resident - notClean);
        expect("clean tombstones", ledger.cleanTombstones(), cleanTombstones);
        expect("bytes", ledger.bytes(), resident + structure + ledger.inFlightBytes());
        if (!clock.inFlight()) {
            expect("bytes in flight", ledger.inFlightBytes(), 0);
            expect("dirty bytes", ledger.dirtyBytes(), current);
        }
    }

    private <E extends HotNode> void add(E node, EpochTable<E> table) {
        long weight = table.weight(node);
        resident += weight;
        live += node.isTombstone() ? 0 : 1;
        if (!table.isClean(node)) {
            notClean += weight;
        } else if (node.isTombstone()) {
            cleanTombstones++;
        }
        if (node.epoch == clock.current) {
            current += weight;
        }
        if (node.epoch > clock.current || node.has(HotNode.VANISHED)) {
            throw new IllegalStateException("Node in an impossible state: " + node);
        }
    }

    private static void expect(String what, long kept, long counted) {
        if (kept != counted) {
            throw new IllegalStateException(what + ": kept " + kept + ", counted " + counted);
        }
    }
}
