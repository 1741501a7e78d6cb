/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import io.strata.flink.traces.AccessTrace;

/**
 * A hot table in the replay of a trace, with the store around it: what is missed is loaded, what is
 * dirty is sealed and installed a while later, and room is made when there are too many entries.
 */
abstract class HotReplay<E extends HotNode> implements ReplayedCache {

    private static final int VALUE_BYTES = 120;
    private static final int ENTRY_BYTES = EpochTable.NODE_BYTES + VALUE_BYTES;

    /** Steps from a seal to the installation of its flush. */
    private static final int FLUSH_STEPS = 200;

    final EpochClock clock = new EpochClock();
    private final long limitBytes;
    private int stepsToInstall;

    HotReplay(int capacity) {
        this.limitBytes = (long) capacity * ENTRY_BYTES;
    }

    abstract EpochTable<E> table();

    abstract E find(long key);

    abstract boolean admits(long key);

    abstract E load(long key);

    abstract void write(long key, boolean absentBelow);

    abstract void delete(long key);

    abstract void checkStructure();

    @Override
    public boolean access(long key, boolean update) {
        E node = find(key);
        boolean hit = node != null;
        if (!hit && admits(key)) {
            node = load(key);
        }
        if (update && node != null) {
            table().update(node, key, VALUE_BYTES);
        } else if (update) {
            write(key, false);
        }
        settle();
        return hit;
    }

    @Override
    public void create(long key) {
        write(key, true);
        settle();
    }

    @Override
    public void clear(long key) {
        delete(key);
        settle();
    }

    private void settle() {
        if (stepsToInstall > 0 && --stepsToInstall == 0) {
            clock.installed(clock.current() - 1);
        }
        if (!clock.inFlight() && table().currentEpochBytes() > limitBytes / 4) {
            seal();
        }
        while (heldBytes() > limitBytes) {
            table().evict(heldBytes() - limitBytes + limitBytes / 32);
            if (heldBytes() > limitBytes) {
                stall();
            }
        }
    }

    /** All but the hash arrays, which any cache has: what eviction itself keeps is in it. */
    private long heldBytes() {
        ByteLedger ledger = table().ledger;
        return ledger.residentBytes() + ledger.inFlightBytes() + table().evictorBytes();
    }

    private void stall() {
        if (!clock.inFlight()) {
            seal();
        }
        stepsToInstall = 0;
        clock.installed(clock.current() - 1);
    }

    private void seal() {
        clock.seal();
        table().seal();
        stepsToInstall = FLUSH_STEPS;
    }

    /** Values, with windows for namespaces. */
    static final class Values extends HotReplay<HotEntry<Long, Long>> {

        private final HotTable<Long, Long> table = new HotTable<>(clock, new HotBytes());

        Values(int capacity) {
            super(capacity);
        }

        /** Those whose windows end early stay longer. */
        static Values byDeadlines(int capacity) {
            Values values = new Values(capacity);
            values.table.useDeadlines(window -> window);
            return values;
        }

        @Override
        EpochTable<HotEntry<Long, Long>> table() {
            return table;
        }

        @Override
        HotEntry<Long, Long> find(long key) {
            return table.find(key, AccessTrace.window(key));
        }

        @Override
        boolean admits(long key) {
            return table.admits(key, AccessTrace.window(key));
        }

        @Override
        HotEntry<Long, Long> load(long key) {
            return table.insertClean(key, AccessTrace.window(key), key, VALUE_BYTES);
        }

        @Override
        void write(long key, boolean absentBelow) {
            table.write(key, AccessTrace.window(key), key, VALUE_BYTES, absentBelow);
        }

        @Override
        void delete(long key) {
            table.delete(key, AccessTrace.window(key), false);
        }

        @Override
        void checkStructure() {
            table.checkStructure();
        }
    }

    /** The slots of maps with a few user keys each. */
    static final class Slots extends HotReplay<HotSlot<Long, String, Long>> {

        private static final int USER_KEYS = 4;

        private final HotMapTable<Long, String, Long> table =
                new HotMapTable<>(clock, new HotBytes());

        Slots(int capacity) {
            super(capacity);
        }

        @Override
        EpochTable<HotSlot<Long, String, Long>> table() {
            return table;
        }

        @Override
        HotSlot<Long, String, Long> find(long key) {
            HotMap<Long, String, Long> map = table.find(key / USER_KEYS, "");
            return map == null ? null : table.find(map, key % USER_KEYS);
        }

        @Override
        boolean admits(long key) {
            return table.admits(key / USER_KEYS, "", key % USER_KEYS);
        }

        @Override
        HotSlot<Long, String, Long> load(long key) {
            return table.insertClean(map(key), key % USER_KEYS, key, VALUE_BYTES);
        }

        @Override
        void write(long key, boolean absentBelow) {
            table.write(map(key), key % USER_KEYS, key, VALUE_BYTES, absentBelow);
        }

        @Override
        void delete(long key) {
            table.delete(map(key), key % USER_KEYS, false);
        }

        private HotMap<Long, String, Long> map(long key) {
            return table.findOrCreate(key / USER_KEYS, "", false);
        }

        @Override
        void checkStructure() {
            table.checkStructure();
        }
    }
}
