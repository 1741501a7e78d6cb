/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What a store does around one hot table, with plain maps: the content of now, the content of the
 * cold tier, and the content at each seal that is not installed yet. Subclasses do the operations.
 *
 * @param <V> immutable content of one key; absent keys are not in the maps
 * @param <E> class of the dirty nodes
 */
abstract class EpochModel<V, E extends HotNode> {

    private static final int MAX_IN_FLIGHT = 3;

    /** One flush in flight: what the table handed over, and what must come of it. */
    private final class Flush {
        final DirtyEntries<E> dirty;
        final Map<TestKey, V> before;
        final Map<TestKey, V> after;

        Flush(DirtyEntries<E> dirty, Map<TestKey, V> before, Map<TestKey, V> after) {
            this.dirty = dirty;
            this.before = before;
            this.after = after;
        }
    }

    final SplittableRandom random;
    final int keys;
    final EpochClock clock = new EpochClock();
    final HotBytes bytes = new HotBytes();

    /** What the state holds now. */
    final Map<TestKey, V> truth = new HashMap<>();

    /** What the installed runs hold. */
    Map<TestKey, V> cold = new HashMap<>();

    private final ArrayDeque<Flush> inFlight = new ArrayDeque<>();

    EpochModel(long seed, int keys) {
        this.random = new SplittableRandom(seed);
        this.keys = keys;
    }

    abstract EpochTable<E> table();

    /** One random operation of the state on one key. */
    abstract void operate(TestKey key);

    /** Checks that the hot and the cold tier together give the truth of one key. */
    abstract void checkKey(TestKey key);

    abstract void checkStructure();

    /** What a flush of these nodes makes of the older content. */
    abstract Map<TestKey, V> flush(Iterable<E> dirty, Map<TestKey, V> older);

    /** Checks which keys the ending epoch lists. */
    abstract void checkListed(DirtyEntries<E> dirty);

    void run(int operations, boolean thorough) {
        for (int i = 0; i < operations; i++) {
            step();
            afterStep();
            if (thorough || i % 256 == 0) {
                check();
            }
        }
        drain();
    }

    /** Bookkeeping after each operation. */
    abstract void afterStep();

    private void step() {
        int choice = random.nextInt(100);
        if (choice < 4) {
            seal();
        } else if (choice < 8 && !inFlight.isEmpty()) {
            install(1 + random.nextInt(inFlight.size()));
        } else if (choice < 12) {
            evict(random.nextInt(1 << random.nextInt(16)));
        } else {
            operate(randomKey());
        }
    }

    TestKey randomKey() {
        return new TestKey(random.nextInt(keys));
    }

    private void seal() {
        if (inFlight.size() == MAX_IN_FLIGHT) {
            install(1);
        }
        int epoch = clock.seal();
        DirtyEntries<E> dirty = table().seal();
        assertThat(dirty.epoch()).isEqualTo(epoch);
        checkListed(dirty);
        Map<TestKey, V> before = inFlight.isEmpty() ? cold : inFlight.getLast().after;
        inFlight.addLast(new Flush(dirty, before, new HashMap<>(truth)));
    }

    private void install(int flushes) {
        Flush last = null;
        for (int i = 0; i < flushes; i++) {
            last = inFlight.removeFirst();
            checkFlush(last);
        }
        cold = last.after;
        clock.installed(last.dirty.epoch());
    }

    private void checkFlush(Flush flush) {
        assertThat(flush(flush.dirty, new HashMap<>(flush.before))).isEqualTo(flush.after);
    }

    void checkFlushes() {
        inFlight.forEach(this::checkFlush);
    }

    private void evict(long wanted) {
        long evictable = table().evictableBytes();
        long freed = table().evict(wanted);
        assertThat(freed).isGreaterThanOrEqualTo(Math.min(wanted, evictable));
    }

    private void check() {
        checkStructure();
        assertThat(bytes.bytes()).isEqualTo(table().bytes());
        assertThat(bytes.dirtyBytes()).isEqualTo(table().dirtyBytes());
        assertThat(table().bytes()).isGreaterThanOrEqualTo(table().dirtyBytes());
        for (int id = 0; id < keys; id++) {
            checkKey(new TestKey(id));
        }
        checkFlushes();
    }

    /** Installs everything and evicts everything: nothing but the arrays may be left. */
    private void drain() {
        seal();
        while (!inFlight.isEmpty()) {
            install(1);
        }
        check();
        table().evict(Long.MAX_VALUE);
        table().evict(Long.MAX_VALUE);
        assertThat(table().entries()).isZero();
        assertThat(table().dirtyBytes()).isZero();
        assertThat(table().evictableBytes()).isZero();
        check();
    }
}
