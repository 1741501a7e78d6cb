/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What {@link AllStates} holds for one key, worked out without Flink. */
final class KeyAccount {

    static final int RECENT_LENGTH = 12;
    static final int LASTED_LIST_LENGTH = 9;
    static final int LASTED_MAP_KEYS = 10;
    static final int MARK_KINDS = 4;
    private static final int MARKS = 16;
    private static final long QUIET_TIMER = 1_000_000;

    private final int key;
    private final boolean nullValues;
    private final List<Long> recent = new ArrayList<>();
    private final Map<String, Long> marks = new TreeMap<>();
    private final List<Long> lastedList = new ArrayList<>();
    private final Map<Long, Long> lastedMap = new TreeMap<>();
    private final SortedSet<Long> ticks = new TreeSet<>();
    private Sums amounts = Sums.NONE;
    private long largest;
    private long lastedValue;

    KeyAccount(int key, boolean nullValues) {
        this.key = key;
        this.nullValues = nullValues;
    }

    static String mark(long sequence) {
        return "mark-" + sequence % MARKS;
    }

    static String list(Iterable<Long> elements) {
        List<Long> list = new ArrayList<>();
        if (elements != null) {
            elements.forEach(list::add);
        }
        return list.toString();
    }

    void add(Event event) {
        amounts = amounts.plus(event.amount());
        long number = amounts.count();
        keepRecent(event.sequence(), number);
        mark(event);
        largest = Math.max(largest, event.amount());
        lastedValue += event.sequence();
        if (number % LASTED_LIST_LENGTH == 1) {
            lastedList.clear();
        }
        lastedList.add(event.amount());
        lastedMap.put(event.amount() % LASTED_MAP_KEYS, event.sequence());
        ticks.add(event.timeMillis() / AllStates.TICK_MILLIS);
    }

    private void keepRecent(long sequence, long number) {
        int place = (int) (number % RECENT_LENGTH);
        if (place == 0 || place == 2) {
            recent.clear();
        }
        if (place != 2) {
            recent.add(sequence);
        }
        if (place == 1) {
            recent.add(-sequence);
        }
    }

    private void mark(Event event) {
        String mark = mark(event.sequence());
        switch ((int) (event.amount() % MARK_KINDS)) {
            case 0 -> marks.put(mark, nullValues ? null : Long.valueOf(-1));
            case 1 -> marks.remove(mark);
            default -> marks.put(mark, event.amount());
        }
    }

    /** The line that {@link AllStates} emits when the events end. */
    String line() {
        return new Told(
                        key,
                        amounts.count(),
                        list(recent),
                        marks.toString(),
                        largest,
                        amounts,
                        lastedValue + list(lastedList) + lastedMap,
                        ticks.size() + QUIET_TIMER,
                        amounts.count())
                .line();
    }

    /** The states of a key at the end. */
    record Told(
            int key,
            long events,
            String recent,
            String marks,
            long largest,
            Sums amounts,
            String lasted,
            long ticks,
            long counted) {

        String line() {
            return String.format(
                    "key %d: %d events, recent %s, marks %s, largest %d, amounts %s, lasted %s,"
                            + " ticks %d, counted %d",
                    key, events, recent, marks, largest, amounts, lasted, ticks, counted);
        }
    }
}
