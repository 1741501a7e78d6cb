/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.internal.InternalListState;
import org.apache.flink.runtime.state.internal.InternalMapState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists and maps several times larger than the heap budget, which are read by streaming. */
class LargeStateTest {

    private static final long SEED = Long.getLong("strata.seed", 7);
    private static final int ELEMENTS = 40_000;
    private static final int ENTRIES = 10_000;

    @TempDir Path root;
    private StateHarness harness;

    @BeforeEach
    void open() throws Exception {
        harness = new StateHarness(root, Regime.SMALL_HEAP);
        harness.setCurrentKey(1);
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    private InternalListState<Integer, Integer, String> list() {
        InternalListState<Integer, Integer, String> state =
                harness.state(new ListStateDescriptor<>("list", StringSerializer.INSTANCE));
        state.setCurrentNamespace(0);
        return state;
    }

    /** Fills the list, record by record, with elements of many lengths. */
    private List<String> fill(InternalListState<Integer, Integer, String> state, int elements)
            throws Exception {
        Random random = new Random(SEED);
        List<String> model = new ArrayList<>();
        for (int i = 0; i < elements; i++) {
            harness.setCurrentKey(1);
            String element = i + ",".repeat(random.nextInt(30));
            state.add(element);
            model.add(element);
        }
        assertHeapBounded();
        return model;
    }

    private void assertHeapBounded() {
        harness.setCurrentKey(1);
        harness.store.publishStats();
        assertThat(harness.store.stats().hotBytes())
                .isLessThanOrEqualTo(Regime.SMALL_HEAP.heapBytes);
    }

    @Test
    void listStreamsInOrderAsOftenAsAsked() throws Exception {
        InternalListState<Integer, Integer, String> state = list();
        List<String> model = fill(state, ELEMENTS);
        Iterable<String> elements = state.get();
        assertThat(elements).isInstanceOf(StreamedElements.class);
        for (int walk = 0; walk < 2; walk++) {
            assertSame(elements, model);
        }
        assertHeapBounded();
    }

    private static void assertSame(Iterable<String> elements, List<String> model) {
        int i = 0;
        for (String element : elements) {
            if (!element.equals(model.get(i))) {
                assertThat(element)
                        .as("element %d, replay with -Dstrata.seed=%d", i, SEED)
                        .isEqualTo(model.get(i));
            }
            i++;
        }
        assertThat(i).isEqualTo(model.size());
    }

    /**
     * The engine streams through a window of 64 KiB; a string of n characters takes n + 3 bytes.
     */
    @Test
    void elementsMayEndWhereTheStreamsWindowEnds() throws Exception {
        InternalListState<Integer, Integer, String> state = list();
        for (int length = (1 << 16) - 5; length <= (1 << 16) - 1; length++) {
            List<String> model = new ArrayList<>(List.of("x".repeat(length)));
            for (int i = 0; i < 100; i++) {
                model.add(",".repeat(i % 5));
            }
            state.setCurrentNamespace(length);
            state.update(model);
            harness.store.flushAndEvictAll();
            Iterable<String> elements = state.get();
            assertThat(elements).isInstanceOf(StreamedElements.class);
            assertSame(elements, model);
        }
    }

    @Test
    void listIsReadWhileItGrows() throws Exception {
        InternalListState<Integer, Integer, String> state = list();
        List<String> model = fill(state, ELEMENTS / 4);
        int i = 0;
        for (String element : state.get()) {
            assertThat(element).isEqualTo(model.get(i++));
            if (i % 100 == 0) {
                state.add("late" + i);
                model.add("late" + i);
            }
            if (i == ELEMENTS / 4) {
                break;
            }
        }
        assertSame(state.get(), model);
    }

    /** What Flink's operator for windows with an evictor does. */
    @Test
    void evictorTakesElementsOutAndAddsTheRestAgain() throws Exception {
        InternalListState<Integer, Integer, String> state = list();
        List<String> model = fill(state, ELEMENTS / 4);
        Iterable<String> contents = state.get();
        contents.iterator().forEachRemaining(element -> {});
        Iterator<String> evictor = contents.iterator();
        for (int i = 0; evictor.hasNext(); i++) {
            evictor.next();
            if (i % 3 == 0) {
                evictor.remove();
            }
        }
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < model.size(); i++) {
            if (i % 3 != 0) {
                kept.add(model.get(i));
            }
        }
        state.clear();
        for (String element : contents) {
            state.add(element);
        }
        assertSame(state.get(), kept);
    }

    @Test
    void elementsGotBeforeAClearStayReadable() throws Exception {
        InternalListState<Integer, Integer, String> state = list();
        List<String> model = fill(state, ELEMENTS / 4);
        Iterable<String> contents = state.get();
        state.clear();
        state.add("new");
        assertSame(contents, model);
        assertSame(state.get(), List.of("new"));
    }

    @Test
    void largeListsMerge() throws Exception {
        InternalListState<Integer, Integer, String> state = list();
        List<String> merged = fill(state, ELEMENTS / 4);
        for (int source = 1; source <= 2; source++) {
            state.setCurrentNamespace(source);
            merged.addAll(fill(state, ELEMENTS / 8));
        }
        state.mergeNamespaces(0, List.of(1, 2));
        state.setCurrentNamespace(1);
        assertThat(state.get()).isNull();
        state.setCurrentNamespace(0);
        assertSame(state.get(), merged);
        assertHeapBounded();
    }

    @Test
    void mapStreamsEveryEntryOnceAndTakesChanges() throws Exception {
        InternalMapState<Integer, Integer, Integer, String> state =
                harness.state(
                        new MapStateDescriptor<>(
                                "map", IntSerializer.INSTANCE, StringSerializer.INSTANCE));
        state.setCurrentNamespace(0);
        for (int i = 0; i < ENTRIES; i++) {
            harness.setCurrentKey(1);
            state.put(i * 17, "value " + i);
        }
        assertHeapBounded();
        BitSet met = new BitSet();
        for (Iterator<Map.Entry<Integer, String>> walk = state.iterator(); walk.hasNext(); ) {
            Map.Entry<Integer, String> entry = walk.next();
            int i = entry.getKey() / 17;
            assertThat(met.get(i)).isFalse();
            met.set(i);
            assertThat(entry.getValue()).isEqualTo("value " + i);
            if (i % 3 == 0) {
                walk.remove();
            } else if (i % 3 == 1) {
                entry.setValue("changed");
            }
        }
        assertThat(met.cardinality()).isEqualTo(ENTRIES);
        assertHeapBounded();
        for (int i = 0; i < ENTRIES; i++) {
            String expected = i % 3 == 0 ? null : i % 3 == 1 ? "changed" : "value " + i;
            assertThat(state.get(i * 17)).isEqualTo(expected);
        }
        state.clear();
        assertThat(state.isEmpty()).isTrue();
        assertThat(state.iterator().hasNext()).isFalse();
    }
}
