/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.internal.InternalAppendingState;
import org.apache.flink.runtime.state.internal.InternalKvState;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

/**
 * What the states and timers of an {@link ImportJob} should hold: every change is made in the job
 * and noted here.
 */
final class ImportContent<K> {

    private static final String TIMERS = "timers";

    private final ImportJob<K> job;
    private final List<ImportState> states;
    private final IntFunction<K> keys;
    private final int keyCount;
    private final Map<String, Object> expected = new TreeMap<>();
    private final TreeSet<String> expectedTimers = new TreeSet<>();
    private final Map<
                    AbstractKeyedStateBackend<K>,
                    KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<K, TimeWindow>>>
            queues = new IdentityHashMap<>();
    private boolean nullValues;

    ImportContent(ImportJob<K> job, List<ImportState> states, IntFunction<K> keys, int keyCount) {
        this.job = job;
        this.states = states;
        this.keys = keys;
        this.keyCount = keyCount;
    }

    /** From now on maps without time to live get some null values. */
    void withNullValues(boolean wanted) {
        nullValues = wanted;
    }

    /** Makes random changes. */
    void change(Random random, int changes) throws Exception {
        for (int i = 0; i < changes; i++) {
            ImportState state = states.get(random.nextInt(states.size()));
            K key = keys.apply(random.nextInt(keyCount));
            Object namespace = state.namespaces().namespace(random.nextInt(3));
            if (random.nextInt(8) == 0) {
                at(state, key, namespace).clear();
                expected.remove(place(state, key, namespace));
            } else {
                write(random, state, key, namespace);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private void write(Random random, ImportState state, K key, Object namespace) throws Exception {
        State handle = at(state, key, namespace);
        String place = place(state, key, namespace);
        String text = "v".repeat(random.nextInt(random.nextInt(60) == 0 ? 9000 : 20)) + "x";
        switch (state.kind()) {
            case VALUE -> {
                ((ValueState<String>) handle).update(text);
                expected.put(place, text);
            }
            case LIST -> {
                ((ListState<String>) handle).add(text);
                ((List<String>) expected.computeIfAbsent(place, p -> new ArrayList<>())).add(text);
            }
            case MAP -> writeEntry(random, state, (MapState<Object, String>) handle, place, text);
            case REDUCING, AGGREGATING -> {
                long number = random.nextInt(100);
                ((InternalAppendingState<?, ?, Long, ?, ?>) handle).add(number);
                expected.merge(place, number, (a, b) -> (Long) a + (Long) b);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private void writeEntry(
            Random random,
            ImportState state,
            MapState<Object, String> map,
            String place,
            String text)
            throws Exception {
        Object userKey = state.userKey(random.nextInt(12));
        Map<Object, String> entries =
                (Map<Object, String>)
                        expected.computeIfAbsent(
                                place,
                                p ->
                                        new TreeMap<>(
                                                Comparator.<Object, String>comparing(
                                                        Object::toString)));
        if (random.nextInt(5) == 0) {
            map.remove(userKey);
            entries.remove(userKey);
        } else {
            String value = nullValues && !state.ttl() && random.nextInt(4) == 0 ? null : text;
            map.put(userKey, value);
            entries.put(userKey, value);
        }
        if (entries.isEmpty()) {
            map.clear();
            expected.remove(place);
        }
    }

    /** Adds random timers. */
    void addTimers(Random random, int count) {
        for (int i = 0; i < count; i++) {
            K key = keys.apply(random.nextInt(keyCount));
            TimeWindow window = new TimeWindow(random.nextInt(3), 10);
            long time = random.nextInt(1000) - 500L;
            timers(job.taskOf(key)).add(new TimerHeapInternalTimer<>(time, key, window));
            expectedTimers.add(time + "|" + key + "|" + window);
        }
    }

    /** A task makes its queue once. */
    private KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<K, TimeWindow>> timers(
            AbstractKeyedStateBackend<K> task) {
        return queues.computeIfAbsent(
                task,
                t ->
                        t.create(
                                TIMERS,
                                new TimerSerializer<>(
                                        job.keySerializer(), new TimeWindow.Serializer())));
    }

    /** Reads everything back; the same as {@link #expected} if all is well. */
    Map<String, String> read() throws Exception {
        Map<String, String> found = new TreeMap<>();
        for (ImportState state : states) {
            for (AbstractKeyedStateBackend<K> task : job.tasks()) {
                readState(state, task, found);
            }
        }
        return found;
    }

    private void readState(
            ImportState state, AbstractKeyedStateBackend<K> task, Map<String, String> found)
            throws Exception {
        List<Tuple2<K, Object>> places = new ArrayList<>();
        try (Stream<Tuple2<K, Object>> all = task.getKeysAndNamespaces(state.name())) {
            all.forEach(place -> places.add(Tuple2.of(place.f0, place.f1)));
        }
        for (Tuple2<K, Object> place : places) {
            String content = text(content(state, at(state, place.f0, place.f1)));
            if (found.put(place(state, place.f0, place.f1), content) != null) {
                throw new IllegalStateException("listed twice: " + place);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static Object content(ImportState state, State handle) throws Exception {
        return switch (state.kind()) {
            case VALUE -> ((ValueState<String>) handle).value();
            case LIST -> {
                List<String> elements = new ArrayList<>();
                ((ListState<String>) handle).get().forEach(elements::add);
                yield elements;
            }
            case MAP -> {
                Map<Object, String> entries = new HashMap<>();
                for (Map.Entry<Object, String> entry :
                        ((MapState<Object, String>) handle).entries()) {
                    entries.put(entry.getKey(), entry.getValue());
                }
                yield entries;
            }
            case REDUCING, AGGREGATING ->
                    ((InternalAppendingState<?, ?, ?, ?, Object>) handle).get();
        };
    }

    /** Returns what everything should be. */
    Map<String, String> expected() {
        Map<String, String> texts = new TreeMap<>();
        expected.forEach((place, content) -> texts.put(place, text(content)));
        return texts;
    }

    /** Takes all timers out of the job's queues, each queue in its order. */
    List<String> pollTimers() {
        List<String> found = new ArrayList<>();
        for (AbstractKeyedStateBackend<K> task : job.tasks()) {
            long before = Long.MIN_VALUE;
            var queue = timers(task);
            for (var timer = queue.poll(); timer != null; timer = queue.poll()) {
                if (timer.getTimestamp() < before) {
                    throw new IllegalStateException("out of order: " + timer);
                }
                before = timer.getTimestamp();
                found.add(timer.getTimestamp() + "|" + timer.getKey() + "|" + timer.getNamespace());
            }
        }
        found.sort(null);
        return found;
    }

    List<String> expectedTimers() {
        return List.copyOf(expectedTimers);
    }

    @SuppressWarnings("unchecked")
    private State at(ImportState state, K key, Object namespace) throws Exception {
        AbstractKeyedStateBackend<K> task = job.taskOf(key);
        State handle =
                task.getOrCreateKeyedState(state.namespaces().serializer(), state.descriptor());
        task.setCurrentKey(key);
        ((InternalKvState<K, Object, ?>) handle).setCurrentNamespace(namespace);
        return handle;
    }

    private static String text(Object content) {
        return content instanceof Map<?, ?> map
                ? new TreeMap<Object, Object>(map).toString()
                : String.valueOf(content);
    }

    private String place(ImportState state, K key, Object namespace) {
        return state.name() + "|" + namespace + "|" + key;
    }
}
