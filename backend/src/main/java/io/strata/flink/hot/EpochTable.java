/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/**
 * The part of a hot table that knows epochs: which node may change in place, which has to be
 * replaced, what is listed for the next flush, and what each change does to the bytes. Where nodes
 * are chained is left to the subclass. Task thread only.
 *
 * @param <E> {@link HotEntry} or {@link HotSlot}
 */
abstract class EpochTable<E extends HotNode> {

    /** Heap bytes of a {@link HotEntry} or {@link HotSlot}: 40 with compressed references. */
    static final int NODE_BYTES = (int) HeapLayout.CURRENT.objectBytes(4, 3 * Integer.BYTES);

    /** What the evictor knows of a node; a node that takes its place inherits it. */
    private static final int USE = HotNode.HITS | HotNode.PROBATION;

    private static final int SIZE_BITS_AND_TOMBSTONE =
            ~(HotNode.ABSENT_BELOW | HotNode.THAWED | HotNode.VANISHED | USE);

    final EpochClock clock;
    final ByteLedger ledger;

    private final Evictor<E> evictor;
    private DirtyList dirty;

    /** The epoch whose nodes {@link #dirty} lists. */
    private int listEpoch;

    private long live;
    private boolean complete = true;

    /** Which node was found last: finding it again at once says nothing about its use. */
    private int lastFound;

    EpochTable(EpochClock clock, HotBytes total) {
        this.clock = clock;
        this.ledger = new ByteLedger(total);
        this.evictor = new Evictor<>(this, ledger);
        this.dirty = new DirtyList(ledger);
        this.listEpoch = clock.current();
        clock.register(ledger);
    }

    /** A new node of the same key, not linked yet; value, epoch and bits are set by the caller. */
    abstract E copyOf(E node);

    /** Puts {@code by} in the place of {@code node}. */
    abstract void relink(E node, E by);

    /** Takes a node out of its chain. */
    abstract void unlink(E node);

    /** A node that was taken out is settled: what held only it may go too. */
    abstract void unlinked(E node);

    /** The key of this node came to exist (1) or ceased to (-1). */
    abstract void liveChanged(E node, int delta);

    /** Heap bytes of what the node alone holds beside itself and its value; never changes. */
    abstract int keyBytes(E node);

    /** Where a node is found again by {@link #onProbation}: its hashes. */
    abstract long placeOf(E node);

    /** A node on probation of this place, a clean one if any; null if there is none. */
    abstract E onProbation(long place);

    /** The next node of an endless walk; null where there is none for the moment. */
    abstract E nextAtHand();

    /** What {@link #nextAtHand} returns at most in one turn, nulls too. */
    abstract long nodesAtHand();

    /** Frees what it can of a node that cannot leave; returns the bytes freed. */
    long trim(E node) {
        return 0;
    }

    /** Whether {@link #trim} may free anything. */
    boolean canTrim() {
        return false;
    }

    // ---- what the task does ----

    /**
     * Sets the value of a node that a find returned (a tombstone too), as dirty in the current
     * epoch.
     *
     * @param sizeBytes heap bytes of the value
     * @return the node to use from now on: another one if the given one was frozen
     * @throws IllegalStateException if the node has left the table
     */
    public final E update(E node, Object value, long sizeBytes) {
        int packed = HotNode.packSize(sizeBytes);
        if (node.epoch == clock.current
                && (node.bits & SIZE_BITS_AND_TOMBSTONE) == packed
                && node.next != node) {
            node.value = value;
            return node;
        }
        return change(node, value, packed, 0);
    }

    /**
     * Makes a node's value safe for the task to change in place: a frozen node is replaced by a
     * private copy, any other one is returned as it is. Does not make it dirty.
     *
     * @param copier deep copy of a value
     * @return the node to use from now on
     */
    public final E thaw(E node, UnaryOperator<Object> copier) {
        if (node.epoch <= clock.flushed || !isFrozen(node) || node.isTombstone()) {
            return node;
        }
        return replaceByThawed(node, copier.apply(node.value), HotNode.sizeBits(node.bits), 0);
    }

    /**
     * Deletes a node: it vanishes if its key was created in this epoch over nothing, and becomes a
     * tombstone otherwise.
     */
    public final void delete(E node) {
        checkLinked(node);
        if (node.epoch == clock.current && node.has(HotNode.ABSENT_BELOW)) {
            vanish(node);
        } else if (!node.isTombstone()) {
            change(node, null, HotNode.TOMBSTONE, 0);
        }
    }

    // ---- what the store does ----

    /**
     * Hands over the nodes dirtied in the epoch that has just been sealed, in constant time. To be
     * called right after {@link EpochClock#seal()}.
     */
    public final DirtyEntries<E> seal() {
        if (listEpoch != clock.current - 1) {
            throw new IllegalStateException(
                    "Seal of epoch " + listEpoch + " while the clock shows " + clock.current);
        }
        boolean anything = dirty.size() > 0;
        DirtyEntries<E> sealed = dirty.handOver(listEpoch, ledger.currentBytes());
        ledger.seal(listEpoch, dirty.bytes(), anything);
        dirty = new DirtyList(ledger);
        listEpoch = clock.current;
        return sealed;
    }

    /**
     * Evicts about {@code wantedBytes} of clean nodes (I8), those not found lately first.
     *
     * @return the heap bytes freed; less than wanted when the rest is dirty
     */
    public long evict(long wantedBytes) {
        return evictor.evict(wantedBytes);
    }

    /** Heap bytes of everything that this table holds or keeps alive. */
    public final long bytes() {
        return ledger.bytes();
    }

    /** The part of {@link #bytes()} that is dirty or frozen. */
    public final long dirtyBytes() {
        return ledger.dirtyBytes();
    }

    /**
     * The part of {@link #dirtyBytes()} that no epoch in flight holds: what a seal would freeze.
     */
    public final long currentEpochBytes() {
        return ledger.currentBytes();
    }

    /** The part of {@link #bytes()} that {@link #evict} could free now. */
    public final long evictableBytes() {
        return ledger.evictableBytes();
    }

    /** The number of keys (of user keys, in a map table) that exist and are here. */
    public final long liveEntries() {
        return live;
    }

    /** The number of nodes in the table, tombstones included. */
    public abstract long entries();

    /**
     * Whether every live key is here: one that is not found exists nowhere below either. True for a
     * new table, until the first eviction or {@link #markIncomplete()}.
     */
    public final boolean complete() {
        return complete;
    }

    /** Tells that there are keys below that are not here: after a restore. */
    public final void markIncomplete() {
        complete = false;
    }

    // ---- for the subclasses ----

    final boolean admitsAt(long place) {
        return evictor.admits(place);
    }

    final void evictByDeadlines(ToLongFunction<E> deadlineOf) {
        evictor.useDeadlines(deadlineOf);
    }

    /** Heap bytes of what is kept to decide who leaves. */
    final long evictorBytes() {
        return evictor.bytes();
    }

    final boolean isClean(HotNode node) {
        return node.epoch <= clock.flushed;
    }

    final boolean isFrozen(HotNode node) {
        int epoch = node.epoch;
        return epoch < clock.current && epoch > clock.flushed && !node.has(HotNode.THAWED);
    }

    final long weight(E node) {
        return NODE_BYTES + keyBytes(node) + node.sizeBytes();
    }

    /** Accounts for a new linked node as loaded from below. */
    final void addClean(E node, Object value, long sizeBytes) {
        node.value = value;
        node.epoch = EpochClock.LOADED;
        node.bits = HotNode.packSize(sizeBytes);
        ledger.resident(weight(node));
        countLive(node, 1);
        admitted(node);
    }

    /** Accounts for a new linked node as created in the current epoch. */
    final void addDirty(E node, Object value, long sizeBytes, int flags) {
        node.value = value;
        node.bits = HotNode.packSize(sizeBytes) | flags;
        long weight = weight(node);
        ledger.resident(weight);
        list(node, weight);
        if (node.isTombstone()) {
            ledger.tombstone(node.epoch, 1, clock);
        } else {
            countLive(node, 1);
            admitted(node);
        }
    }

    private void admitted(E node) {
        lastFound = identityOf(placeOf(node));
        evictor.admitted(node);
    }

    /** Counts a hit of a node, unless it was the last one found anyway. */
    final void found(E node, int identity) {
        if (identity != lastFound) {
            lastFound = identity;
            node.countHit();
            evictor.countHit();
        }
    }

    /** The node on probation with this hash in a chain, a clean one if any; null if none. */
    final HotNode onProbation(ChainNode chain, int hash) {
        HotNode found = null;
        for (ChainNode node = chain; node != null; node = node.next) {
            if (node.hash == hash && ((HotNode) node).has(HotNode.PROBATION)) {
                found = (HotNode) node;
                if (isClean(found)) {
                    return found;
                }
            }
        }
        return found;
    }

    static int identityOf(long place) {
        return (int) (place >>> 32) * 31 + (int) place;
    }

    /** Takes out a clean node; returns the bytes freed. */
    long take(E node) {
        long weight = weight(node);
        unlink(node);
        ledger.resident(-weight);
        if (node.isTombstone()) {
            ledger.tombstone(node.epoch, -1, clock);
        } else {
            countLive(node, -1);
            complete = false;
        }
        unlinked(node);
        return weight;
    }

    /** Lets a few clean tombstones go when they abound: a table of short-lived keys stays small. */
    final void sweepTombstones() {
        for (int i = 0; i < 4 && tombstonesAbound(4); i++) {
            sweepNext();
        }
    }

    /** Lets clean tombstones go if they are more than a few: they leave before what lives. */
    final long sweepTombstones(long wantedBytes) {
        long freed = 0;
        if (tombstonesAbound(16)) {
            for (long i = nodesAtHand(); i > 0 && freed < wantedBytes; i--) {
                freed += sweepNext();
            }
        }
        return freed;
    }

    private long sweepNext() {
        E node = nextAtHand();
        boolean leaves = node != null && node.isTombstone() && !node.isDetached() && isClean(node);
        return leaves ? take(node) : 0;
    }

    private boolean tombstonesAbound(int part) {
        int clean = ledger.cleanTombstones();
        return clean > 64 && clean > entries() / part;
    }

    /** Corrects the size of a node, not a frozen one, whose value changed in place. */
    final void resize(E node, long sizeBytes) {
        long before = node.sizeBytes();
        node.setSize(HotNode.packSize(sizeBytes));
        long delta = node.sizeBytes() - before;
        ledger.resident(delta);
        if (node.epoch == clock.current) {
            ledger.current(delta);
        } else if (!isClean(node)) {
            ledger.thawed(node.epoch, delta);
        }
    }

    /**
     * Replaces a frozen node by a private copy that is as dirty as the frozen one.
     *
     * @param sharedBytes of the frozen one's bytes, those that the copy uses too
     */
    final E replaceByThawed(E frozen, Object value, int packedSize, long sharedBytes) {
        E copy = replaceFrozen(frozen, sharedBytes);
        copy.value = value;
        copy.epoch = frozen.epoch;
        copy.bits = packedSize | (frozen.bits & USE) | HotNode.THAWED;
        long weight = weight(copy);
        ledger.resident(weight);
        ledger.thawed(copy.epoch, weight);
        return copy;
    }

    final void checkLinked(ChainNode node) {
        if (node.isDetached()) {
            throw new IllegalStateException("Stale handle: " + node);
        }
    }

    /**
     * Sets value, size and tombstone flag in the current epoch, whatever state the node is in.
     *
     * @param packed packed size and tombstone flag
     * @param sharedBytes if the node is frozen: of its bytes, those that the new value uses too
     */
    final E change(E node, Object value, int packed, long sharedBytes) {
        checkLinked(node);
        boolean wasTombstone = node.isTombstone();
        E target = node;
        if (node.epoch == clock.current) {
            int keep = node.bits & (USE | HotNode.ABSENT_BELOW);
            long before = weight(node);
            node.value = value;
            node.bits = packed | keep;
            ledger.resident(weight(node) - before);
            ledger.current(weight(node) - before);
            countChange(node, wasTombstone);
        } else {
            if (wasTombstone) {
                ledger.tombstone(node.epoch, -1, clock);
            }
            target = isFrozen(node) ? replaceFrozen(node, sharedBytes) : takeOver(node);
            target.value = value;
            target.bits = packed | (node.bits & USE);
            long weight = weight(target);
            ledger.resident(weight);
            list(target, weight);
            if (target.isTombstone()) {
                ledger.tombstone(target.epoch, 1, clock);
            }
            countLive(target, (wasTombstone ? 0 : -1) + (target.isTombstone() ? 0 : 1));
        }
        return target;
    }

    private void countChange(E node, boolean wasTombstone) {
        if (wasTombstone != node.isTombstone()) {
            int delta = wasTombstone ? -1 : 1;
            ledger.tombstone(node.epoch, delta, clock);
            countLive(node, -delta);
        }
    }

    /** Takes the weight of a node that is changed in place out of its old epoch. */
    private E takeOver(E node) {
        long weight = weight(node);
        ledger.resident(-weight);
        if (!isClean(node)) {
            ledger.thawed(node.epoch, -weight);
        }
        return node;
    }

    private E replaceFrozen(E frozen, long sharedBytes) {
        E copy = copyOf(frozen);
        relink(frozen, copy);
        ledger.detached(frozen.epoch, weight(frozen), sharedBytes);
        return copy;
    }

    private void list(E node, long weight) {
        if (listEpoch != clock.current) {
            throw new IllegalStateException(
                    "Epoch " + listEpoch + " of this table was not sealed with the clock");
        }
        node.epoch = clock.current;
        ledger.current(weight);
        dirty.add(node);
    }

    private void vanish(E node) {
        long weight = weight(node);
        unlink(node);
        node.value = null;
        node.bits |= HotNode.VANISHED;
        ledger.resident(-weight);
        ledger.current(-weight);
        dirty.vanish(NODE_BYTES + keyBytes(node));
        countLive(node, -1);
        unlinked(node);
    }

    private void countLive(E node, int delta) {
        if (delta != 0) {
            live += delta;
            liveChanged(node, delta);
        }
    }

    // ---- for tests ----

    /** Recounts bytes from the nodes of the table and throws if they differ from what is kept. */
    final void checkLedger(Iterable<E> nodes, long structureBytes) {
        long structure = structureBytes + dirty.bytes() + evictor.bytes();
        new LedgerCheck(clock).check(nodes, this, structure, live);
        evictor.checkStructure(nodes);
    }
}
