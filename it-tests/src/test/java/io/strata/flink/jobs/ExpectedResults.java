/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The results of {@link AllStatesJob}, worked out without Flink. */
final class ExpectedResults {

    private final Map<Integer, List<Event>> events = new TreeMap<>();
    private final Map<String, Sums> accounts = new TreeMap<>();

    private ExpectedResults(long eventsPerLane) {
        for (int lane = 0; lane < Event.LANES; lane++) {
            for (long sequence = 0; sequence < eventsPerLane; sequence++) {
                Event event = Event.of(lane, sequence);
                events.computeIfAbsent(event.key(), key -> new ArrayList<>()).add(event);
            }
        }
    }

    /** Compares the results of a job that has ended; empty if they are as expected. */
    static List<String> differences(JobControl control, boolean nullValues) {
        Map<String, String> expected = of(control.limit(), nullValues);
        Map<String, String> found = control.results();
        Set<String> all = new TreeSet<>(expected.keySet());
        all.addAll(found.keySet());
        return all.stream()
                .filter(about -> !Objects.equals(expected.get(about), found.get(about)))
                .map(about -> "expected " + expected.get(about) + "\n found " + found.get(about))
                .toList();
    }

    private static Map<String, String> of(long eventsPerLane, boolean nullValues) {
        ExpectedResults expected = new ExpectedResults(eventsPerLane);
        List<String> lines = new ArrayList<>();
        expected.events.forEach(
                (key, ofKey) -> {
                    KeyAccount account = new KeyAccount(key, nullValues);
                    ofKey.forEach(account::add);
                    lines.add(account.line());
                    expected.aggregatedWindows(key, ofKey);
                    expected.bufferedWindows(key, ofKey);
                    expected.sessions(key, ofKey);
                });
        expected.accounts.forEach((account, sums) -> lines.add("account " + account + ": " + sums));
        Map<String, String> results = new TreeMap<>();
        lines.forEach(line -> results.put(ResultSink.about(line), line));
        return results;
    }

    private void aggregatedWindows(int key, List<Event> ofKey) {
        Map<Long, Sums> windows = new TreeMap<>();
        long length = AllStatesJob.AGGREGATED.toMillis();
        for (Event event : ofKey) {
            long start = event.timeMillis() / length * length;
            Sums sums = windows.getOrDefault(start, Sums.NONE);
            windows.put(start, sums.plus(event.amount()));
        }
        windows.forEach((start, sums) -> account("aggregated", key, start, start + length, sums));
    }

    private void bufferedWindows(int key, List<Event> ofKey) {
        Map<Long, List<Event>> windows = new TreeMap<>();
        long slide = AllStatesJob.BUFFERED_SLIDE.toMillis();
        for (Event event : ofKey) {
            long last = event.timeMillis() / slide * slide;
            for (long start : List.of(last - slide, last)) {
                windows.computeIfAbsent(start, none -> new ArrayList<>()).add(event);
            }
        }
        windows.forEach(
                (start, inside) ->
                        account(
                                "buffered",
                                key,
                                start,
                                start + AllStatesJob.BUFFERED.toMillis(),
                                WindowResult.inOrder(inside)));
    }

    private void sessions(int key, List<Event> ofKey) {
        long gap = AllStatesJob.SESSION_GAP.toMillis();
        long start = ofKey.get(0).timeMillis();
        long end = start;
        Sums sums = Sums.NONE;
        for (Event event : ofKey) {
            if (event.timeMillis() > end && sums.count() > 0) {
                account("session", key, start, end, sums);
                start = event.timeMillis();
                sums = Sums.NONE;
            }
            end = event.timeMillis() + gap;
            sums = sums.plus(event.amount());
        }
        account("session", key, start, end, sums);
    }

    private void account(String kind, int key, long start, long end, Sums contents) {
        WindowResult result = WindowResult.of(kind, key, start, end, contents);
        accounts.merge(result.account(), Sums.NONE.plus(result.check()), Sums::plus);
    }
}
