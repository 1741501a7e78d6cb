/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.engine.StoreSnapshot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.StateEntry;
import org.apache.flink.runtime.state.internal.InternalAggregatingState;
import org.apache.flink.runtime.state.internal.InternalKvState;
import org.apache.flink.runtime.state.internal.InternalListState;
import org.apache.flink.runtime.state.internal.InternalMapState;
import org.apache.flink.runtime.state.internal.InternalReducingState;
import org.apache.flink.runtime.state.internal.InternalValueState;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Objects that the user changes in place: what becomes of the change, and that it never reaches a
 * snapshot taken before (I7).
 */
class MutatedObjectsTest {

    private static final TypeSerializer<List<Integer>> NUMBERS =
            new ListSerializer<>(IntSerializer.INSTANCE);

    @TempDir Path root;

    private interface Use {
        void of(StateHarness harness) throws Exception;
    }

    private static InternalValueState<Integer, Integer, List<Integer>> value(StateHarness harness) {
        return at(0, harness.state(new ValueStateDescriptor<>("value", NUMBERS)));
    }

    private static InternalListState<Integer, Integer, List<Integer>> list(StateHarness harness) {
        return at(0, harness.state(new ListStateDescriptor<>("list", NUMBERS)));
    }

    private static InternalMapState<Integer, Integer, String, List<Integer>> map(
            StateHarness harness) {
        return at(
                0,
                harness.state(new MapStateDescriptor<>("map", StringSerializer.INSTANCE, NUMBERS)));
    }

    private static InternalReducingState<Integer, Integer, List<Integer>> reducing(
            StateHarness harness) {
        return at(
                0,
                harness.state(
                        new ReducingStateDescriptor<>(
                                "reducing", MutatedObjectsTest::addAll, NUMBERS)));
    }

    private static InternalAggregatingState<Integer, Integer, Integer, List<Integer>, List<Integer>>
            aggregating(StateHarness harness) {
        return at(
                0,
                harness.state(
                        new AggregatingStateDescriptor<>("aggregating", new Collect(), NUMBERS)));
    }

    private static <S extends InternalKvState<Integer, Integer, ?>> S at(int namespace, S state) {
        state.setCurrentNamespace(namespace);
        return state;
    }

    private static List<Integer> addAll(List<Integer> first, List<Integer> second) {
        first.addAll(second);
        return first;
    }

    private static final class Collect
            implements AggregateFunction<Integer, List<Integer>, List<Integer>> {
        @Override
        public List<Integer> createAccumulator() {
            return new ArrayList<>();
        }

        @Override
        public List<Integer> add(Integer value, List<Integer> accumulator) {
            accumulator.add(value);
            return accumulator;
        }

        @Override
        public List<Integer> getResult(List<Integer> accumulator) {
            return accumulator;
        }

        @Override
        public List<Integer> merge(List<Integer> first, List<Integer> second) {
            return addAll(first, second);
        }
    }

    private static List<Integer> numbers(Integer... numbers) {
        return new ArrayList<>(List.of(numbers));
    }

    private static void fill(StateHarness harness) throws Exception {
        value(harness).update(numbers(1));
        list(harness).add(numbers(1));
        list(harness).add(numbers(2));
        at(1, list(harness)).add(numbers(3));
        map(harness).put("a", numbers(1));
        map(harness).put("b", numbers(2));
        map(harness).put("none", null);
        reducing(harness).add(numbers(1));
        at(1, reducing(harness)).add(numbers(2));
        aggregating(harness).add(1);
        at(1, aggregating(harness)).add(2);
    }

    private static String show(StateHarness harness) throws Exception {
        StringBuilder text = new StringBuilder();
        for (int namespace = 0; namespace < 2; namespace++) {
            text.append(namespace)
                    .append(": ")
                    .append(at(namespace, value(harness)).value())
                    .append(' ')
                    .append(at(namespace, list(harness)).get())
                    .append(' ')
                    .append(at(namespace, map(harness)).get("a"))
                    .append(at(namespace, map(harness)).get("b"))
                    .append(at(namespace, map(harness)).contains("none"))
                    .append(at(namespace, map(harness)).contains("new"))
                    .append(' ')
                    .append(at(namespace, reducing(harness)).get())
                    .append(' ')
                    .append(at(namespace, aggregating(harness)).get())
                    .append('\n');
        }
        return text.toString();
    }

    /** While the flush of a snapshot waits, uses change objects; the snapshot must not show it. */
    @Nested
    class DuringASnapshot {

        private void assertUnseen(Use use) throws Exception {
            HeldExecutor flushes = new HeldExecutor();
            try (StateHarness harness =
                            new StateHarness(root.resolve("first"), Regime.HOT, flushes);
                    StateHarness restored = new StateHarness(root.resolve("second"), Regime.HOT)) {
                harness.setCurrentKey(1);
                fill(harness);
                String before = show(harness);
                harness.setCurrentKey(1);
                try (StoreSnapshot snapshot = harness.store.snapshot()) {
                    assertThat(flushes.waiting()).isPositive();
                    use.of(harness);
                    assertThat(show(harness)).isNotEqualTo(before);
                    flushes.release();
                    restored.restore(snapshot.await());
                }
                restored.setCurrentKey(1);
                assertThat(show(restored)).isEqualTo(before);
            } finally {
                flushes.release();
            }
        }

        @Test
        void valueChangedInPlace() throws Exception {
            assertUnseen(harness -> value(harness).value().add(9));
        }

        @Test
        void valueChangedAndUpdated() throws Exception {
            assertUnseen(
                    harness -> {
                        List<Integer> numbers = value(harness).value();
                        numbers.add(9);
                        value(harness).update(numbers);
                        value(harness).value().add(10);
                    });
        }

        @Test
        void listElementChangedInPlace() throws Exception {
            assertUnseen(harness -> list(harness).get().iterator().next().add(9));
        }

        @Test
        void listElementChangedInPlaceAfterAnAdd() throws Exception {
            assertUnseen(
                    harness -> {
                        list(harness).add(numbers(8));
                        list(harness).getInternal().get(0).add(9);
                    });
        }

        @Test
        void listElementsMovedByAMerge() throws Exception {
            assertUnseen(
                    harness -> {
                        list(harness).mergeNamespaces(0, List.of(1));
                        list(harness).get().forEach(element -> element.add(9));
                    });
        }

        @Test
        void mapValueChangedInPlace() throws Exception {
            assertUnseen(harness -> map(harness).get("a").add(9));
        }

        @Test
        void mapValuesChangedWhileIterating() throws Exception {
            assertUnseen(
                    harness -> {
                        for (Map.Entry<String, List<Integer>> entry : map(harness).entries()) {
                            if (entry.getValue() != null) {
                                entry.getValue().add(9);
                            }
                        }
                    });
        }

        @Test
        void mapEntriesRemovedAndSetWhileIterating() throws Exception {
            assertUnseen(
                    harness -> {
                        var walk = map(harness).iterator();
                        walk.next().setValue(numbers(7));
                        walk.next();
                        walk.remove();
                        map(harness).put("new", numbers(8));
                    });
        }

        @Test
        void reducedInPlace() throws Exception {
            assertUnseen(harness -> reducing(harness).add(numbers(9)));
        }

        @Test
        void aggregatedInPlace() throws Exception {
            assertUnseen(harness -> aggregating(harness).add(9));
        }

        @Test
        void accumulatorsMerged() throws Exception {
            assertUnseen(
                    harness -> {
                        aggregating(harness).mergeNamespaces(0, List.of(1));
                        reducing(harness).mergeNamespaces(1, List.of(0));
                    });
        }

        @Test
        void everythingCleared() throws Exception {
            assertUnseen(
                    harness -> {
                        value(harness).clear();
                        list(harness).clear();
                        map(harness).clear();
                        reducing(harness).clear();
                        aggregating(harness).clear();
                    });
        }
    }

    /** What becomes of a change in place that no update follows. */
    @Nested
    class WithoutUpdate {

        @Test
        void isKeptWhileTheEntryIsHot() throws Exception {
            try (StateHarness harness = new StateHarness(root, Regime.FLUSHED)) {
                harness.setCurrentKey(1);
                value(harness).update(numbers(1));
                value(harness).value().add(2);
                harness.setCurrentKey(1);
                assertThat(value(harness).value()).containsExactly(1, 2);
            }
        }

        @Test
        void isLostWithTheEviction() throws Exception {
            try (StateHarness harness = new StateHarness(root, Regime.FORGETFUL)) {
                harness.setCurrentKey(1);
                value(harness).update(numbers(1));
                assertThat(value(harness).value()).containsExactly(1);
                value(harness).value().add(2);
                assertThat(value(harness).value()).containsExactly(1);
            }
        }

        @Test
        void ofAHandedOutListNeverReachesTheState() throws Exception {
            try (StateHarness harness = new StateHarness(root, Regime.HOT)) {
                harness.setCurrentKey(1);
                list(harness).addAll(List.of(numbers(1), numbers(2)));
                list(harness).getInternal().remove(0);
                var walk = list(harness).get().iterator();
                walk.next();
                walk.remove();
                assertThat(list(harness).get()).containsExactly(numbers(1), numbers(2));
            }
        }
    }

    /** As {@code hashmap} does: the object given is the object got, as long as it is hot. */
    @Test
    void hotObjectsAreNotCopied() throws Exception {
        try (StateHarness harness = new StateHarness(root, Regime.HOT)) {
            harness.setCurrentKey(1);
            List<Integer> given = numbers(1);
            value(harness).update(given);
            map(harness).put("a", given);
            list(harness).add(given);
            reducing(harness).add(given);
            assertThat(value(harness).value()).isSameAs(given);
            assertThat(map(harness).get("a")).isSameAs(given);
            assertThat(list(harness).get().iterator().next()).isSameAs(given);
            assertThat(reducing(harness).get()).isSameAs(given);
        }
    }

    /** The collection given to a list state is copied, its elements are not. */
    @Test
    void collectionsGivenMayBeUsedAgain() throws Exception {
        try (StateHarness harness = new StateHarness(root, Regime.HOT)) {
            harness.setCurrentKey(1);
            List<List<Integer>> given = new ArrayList<>(List.of(numbers(1)));
            list(harness).update(given);
            given.clear();
            given.add(numbers(2));
            list(harness).addAll(given);
            given.clear();
            assertThat(list(harness).get()).containsExactly(numbers(1), numbers(2));
        }
    }

    /** A default value is copied, so that changing it does not change the next one. */
    @Test
    @SuppressWarnings("deprecation") // the only way to give a default value
    void defaultValuesAreCopied() throws Exception {
        try (StateHarness harness = new StateHarness(root, Regime.HOT)) {
            harness.setCurrentKey(1);
            InternalValueState<Integer, Integer, List<Integer>> state =
                    at(
                            0,
                            harness.state(
                                    new ValueStateDescriptor<>("default", NUMBERS, numbers(1))));
            state.value().add(2);
            assertThat(state.value()).containsExactly(1);
        }
    }

    @Test
    void visitorUpdatesAndRemoves() throws Exception {
        try (StateHarness harness = new StateHarness(root, Regime.HOT)) {
            harness.setCurrentKey(1);
            value(harness).update(numbers(1));
            var visitor = value(harness).getStateIncrementalVisitor(10);
            StateEntry<Integer, Integer, List<Integer>> entry =
                    visitor.nextEntries().iterator().next();
            assertThat(entry.getState()).containsExactly(1);
            visitor.update(entry, numbers(2));
            assertThat(value(harness).value()).containsExactly(2);
            visitor.remove(entry);
            assertThat(value(harness).value()).isNull();
            assertThat(visitor.hasNext()).isFalse();
        }
    }
}
