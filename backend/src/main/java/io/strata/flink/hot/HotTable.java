/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/**
 * The hot table of one state: (key, namespace) to a live value. At most 40 bytes an entry beside
 * key and value, no allocation on a hit. Task thread only.
 *
 * @param <K> type of the key
 * @param <N> type of the namespace
 */
public class HotTable<K, N> extends EpochTable<HotEntry<K, N>> {

    private static final int NEVER = -1;

    /** A chain may bend under a reader of another thread: it gives up after so many nodes. */
    private static final int MAX_PEEK_STEPS = 1 << 10;

    private final KeySizer keySizer;
    private final KeySizer namespaceSizer;
    private final UnaryOperator<K> keyCopier;
    private final ChainTable<HotEntry<K, N>> chains;
    private final ChainCursor hand = new ChainCursor();

    /** The flushed epoch in which an eviction found less than it wanted. */
    private int barrenSince = NEVER;

    /** A table whose keys are immutable and not counted. */
    public HotTable(EpochClock clock, HotBytes bytes) {
        this(clock, bytes, HotTableOptions.defaults());
    }

    /** A table for keys as described. */
    public HotTable(EpochClock clock, HotBytes bytes, HotTableOptions<K> options) {
        super(clock, bytes);
        this.keySizer = options.keySizer();
        this.namespaceSizer = options.namespaceSizer();
        this.keyCopier = options.keyCopier();
        this.chains = new ChainTable<>(ledger);
    }

    /**
     * Lets entries leave later whose namespaces end soon, in comparison with the others.
     *
     * @param deadlineOf when all that a namespace holds will be read, in any unit
     */
    public final void useDeadlines(ToLongFunction<? super N> deadlineOf) {
        evictByDeadlines(entry -> deadlineOf.applyAsLong(entry.namespace));
    }

    /** The entry of a key, a tombstone too; null when it is not here. */
    public final HotEntry<K, N> find(K key, N namespace) {
        int hash = HotHash.of(key, namespace);
        HotEntry<K, N> entry = lookUp(hash, key, namespace);
        if (entry != null) {
            found(entry, hash);
        }
        return entry;
    }

    /**
     * Whether to keep a value loaded from below. It is not worth it while hardly anything that is
     * here is found; to be asked once for each value loaded.
     */
    public final boolean admits(K key, N namespace) {
        return admitsAt(HotHash.position(HotHash.of(key, namespace)));
    }

    /**
     * Adds a value loaded from below, clean.
     *
     * @param sizeBytes heap bytes of the value
     * @throws IllegalStateException if the key is here already
     */
    public final HotEntry<K, N> insertClean(K key, N namespace, Object value, long sizeBytes) {
        HotEntry<K, N> entry = linkNew(key, namespace);
        addClean(entry, value, sizeBytes);
        return entry;
    }

    /**
     * Sets the value of a key in the current epoch, whether it is here or not.
     *
     * @param sizeBytes heap bytes of the value
     * @param absentBelow the caller knows that the key, if it is not here, exists nowhere below
     */
    public final HotEntry<K, N> write(
            K key, N namespace, Object value, long sizeBytes, boolean absentBelow) {
        int hash = HotHash.of(key, namespace);
        HotEntry<K, N> entry = lookUp(hash, key, namespace);
        if (entry != null) {
            found(entry, hash);
            return update(entry, value, sizeBytes);
        }
        sweepTombstones();
        entry = link(hash, key, namespace);
        addDirty(entry, value, sizeBytes, absentBelow || complete() ? HotNode.ABSENT_BELOW : 0);
        return entry;
    }

    /**
     * Deletes a key, whether it is here or not.
     *
     * @param absentBelow the caller knows that the key, if it is not here, exists nowhere below
     */
    public final void delete(K key, N namespace, boolean absentBelow) {
        HotEntry<K, N> entry = lookUp(HotHash.of(key, namespace), key, namespace);
        if (entry != null) {
            delete(entry);
        } else if (!absentBelow && !complete()) {
            addDirty(linkNew(key, namespace), null, 0, HotNode.TOMBSTONE);
        }
    }

    @Override
    public final long evict(long wantedBytes) {
        long freed = barren() ? 0 : super.evict(wantedBytes);
        barrenSince = freed < wantedBytes ? clock.flushed : NEVER;
        return freed;
    }

    /** Whether an earlier call found all there is, and no flush was installed since. */
    private boolean barren() {
        return ledger.evictableBytes() <= 0 && (!canTrim() || barrenSince == clock.flushed);
    }

    @Override
    public final long entries() {
        return chains.size();
    }

    /** A walk over all entries, tombstones included, that tolerates any change meanwhile. */
    public final HotCursor<K, N> cursor() {
        return new HotCursor<>(this, chains);
    }

    /**
     * Throws if anything in this table contradicts anything else. For tests: visits every entry.
     */
    public final void checkStructure() {
        chains.checkStructure();
        List<HotEntry<K, N>> all = new ArrayList<>();
        HotCursor<K, N> cursor = cursor();
        for (HotEntry<K, N> e = cursor.next(); e != null; e = cursor.next()) {
            if (e.hash != HotHash.of(e.key, e.namespace)) {
                throw new IllegalStateException("Hash of the key has changed: " + e);
            }
            all.add(e);
        }
        checkLedger(all, chains.bytes());
    }

    @Override
    final HotEntry<K, N> copyOf(HotEntry<K, N> entry) {
        return new HotEntry<>(entry.key, entry.namespace, entry.hash);
    }

    @Override
    final void relink(HotEntry<K, N> entry, HotEntry<K, N> by) {
        chains.replace(entry, by);
    }

    @Override
    final void unlink(HotEntry<K, N> entry) {
        chains.unlink(entry);
    }

    @Override
    final void unlinked(HotEntry<K, N> entry) {}

    @Override
    final void liveChanged(HotEntry<K, N> entry, int delta) {}

    @Override
    final int keyBytes(HotEntry<K, N> entry) {
        return keySizer.bytes(entry.key) + namespaceSizer.bytes(entry.namespace);
    }

    /**
     * The entry of a key, for a thread other than the task's: changes nothing. What the task is
     * moving at that moment may be missed.
     */
    @SuppressWarnings("unchecked")
    public final HotEntry<K, N> peek(K key, N namespace) {
        int hash = HotHash.of(key, namespace);
        ChainNode node = chains.peek(hash);
        for (int steps = 0; node != null && steps < MAX_PEEK_STEPS; steps++) {
            HotEntry<K, N> entry = (HotEntry<K, N>) node;
            if (node.hash == hash && key.equals(entry.key) && namespace.equals(entry.namespace)) {
                return entry;
            }
            node = node.next;
        }
        return null;
    }

    /** The entry of a key without marking it as found; null when it is not here. */
    @SuppressWarnings("unchecked")
    final HotEntry<K, N> lookUp(int hash, K key, N namespace) {
        for (ChainNode node = chains.chain(hash); node != null; node = node.next) {
            if (node.hash == hash) {
                HotEntry<K, N> entry = (HotEntry<K, N>) node;
                if ((key == entry.key || key.equals(entry.key))
                        && (namespace == entry.namespace || namespace.equals(entry.namespace))) {
                    return entry;
                }
            }
        }
        return null;
    }

    /** Links an entry for a key that must not be here yet; the caller accounts for it. */
    final HotEntry<K, N> linkNew(K key, N namespace) {
        int hash = HotHash.of(key, namespace);
        if (lookUp(hash, key, namespace) != null) {
            throw new IllegalStateException("Already here: " + key + ", " + namespace);
        }
        return link(hash, key, namespace);
    }

    private HotEntry<K, N> link(int hash, K key, N namespace) {
        HotEntry<K, N> entry = new HotEntry<>(keyCopier.apply(key), namespace, hash);
        chains.link(entry);
        return entry;
    }

    @Override
    final long placeOf(HotEntry<K, N> entry) {
        return HotHash.position(entry.hash);
    }

    @Override
    @SuppressWarnings("unchecked")
    final HotEntry<K, N> onProbation(long place) {
        return (HotEntry<K, N>) onProbation(chains.chain((int) place), (int) place);
    }

    @Override
    final long nodesAtHand() {
        return entries();
    }

    /** The next entry of an endless walk; null if the table is empty. */
    @Override
    @SuppressWarnings("unchecked")
    final HotEntry<K, N> nextAtHand() {
        ChainNode node = hand.next(chains);
        if (node == null) {
            hand.rewind();
            node = hand.next(chains);
        }
        return (HotEntry<K, N>) node;
    }
}
