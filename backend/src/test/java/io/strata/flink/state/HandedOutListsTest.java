/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the user gets from list state: changing it must work, and must not reach the state. */
class HandedOutListsTest {

    private static final long SEED = Long.getLong("strata.seed", 5);

    @Test
    void detachedListBehavesAsAnArrayListAndLeavesTheSharedOneAlone() {
        Random random = new Random(SEED);
        for (int round = 0; round < 200; round++) {
            List<Integer> shared = random.ints(20).boxed().toList();
            List<Integer> model = new ArrayList<>(shared);
            DetachedList<Integer> list = new DetachedList<>(shared);
            for (int step = 0; step < 30; step++) {
                change(list, model, random);
                assertThat(list).as("replay with -Dstrata.seed=%d", SEED).isEqualTo(model);
            }
        }
    }

    private static void change(List<Integer> list, List<Integer> model, Random random) {
        int at = model.isEmpty() ? 0 : random.nextInt(model.size());
        int value = random.nextInt();
        switch (model.isEmpty() ? 0 : random.nextInt(4)) {
            case 0 -> {
                list.add(at, value);
                model.add(at, value);
            }
            case 1 -> assertThat(list.set(at, value)).isEqualTo(model.set(at, value));
            case 2 -> assertThat(list.remove(at)).isEqualTo(model.remove(at));
            default -> {
                boolean odd = random.nextBoolean();
                list.removeIf(element -> (element % 3 == 0) == odd);
                model.removeIf(element -> (element % 3 == 0) == odd);
            }
        }
    }

    /** A list that is cleared when the state is, as a stream over cold records would be. */
    private final List<Integer> state = new ArrayList<>(IntStream.range(0, 100).boxed().toList());

    private final StreamedElements<Integer> elements =
            new StreamedElements<>(() -> List.copyOf(state).iterator());

    @Test
    void streamsAsOftenAsAsked() {
        for (int i = 0; i < 2; i++) {
            assertThat(elements).containsExactlyElementsOf(state);
        }
    }

    @Test
    void walkGoesOnAfterTheStateWasCleared() {
        Iterator<Integer> walk = elements.iterator();
        for (int i = 0; i < 40; i++) {
            assertThat(walk.next()).isEqualTo(i);
        }
        elements.detach();
        state.clear();
        for (int i = 40; i < 100; i++) {
            assertThat(walk.next()).isEqualTo(i);
        }
        assertThat(walk.hasNext()).isFalse();
        assertThat(elements).hasSize(100);
    }

    @Test
    void elementsRemovedThroughTheIteratorStayRemoved() {
        Iterator<Integer> walk = elements.iterator();
        assertThatThrownBy(walk::remove).isInstanceOf(IllegalStateException.class);
        while (walk.hasNext()) {
            if (walk.next() % 2 == 0) {
                walk.remove();
                assertThatThrownBy(walk::remove).isInstanceOf(IllegalStateException.class);
            }
        }
        state.clear();
        assertThat(elements)
                .containsExactlyElementsOf(
                        IntStream.range(0, 100).filter(i -> i % 2 == 1).boxed().toList());
    }
}
