/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * While a flush thread reads what was sealed, again and again, the task changes everything it can;
 * the flush must always read the same (I7).
 */
class FrozenContentTest {

    private static final int KEYS = 200;
    private static final int OPERATIONS = 4000;
    private static final int EPOCHS = 12;
    private static final String NAMESPACE = "namespace";

    private final ExecutorService flushThread =
            Executors.newSingleThreadExecutor(task -> new Thread(task, "flush"));
    private final SplittableRandom random = new SplittableRandom(7);
    private final EpochClock clock = new EpochClock();
    private final HotBytes bytes = new HotBytes();

    @AfterEach
    void stop() {
        flushThread.shutdownNow();
    }

    @Test
    void values() throws Exception {
        HotTable<Integer, String> table = new HotTable<>(clock, bytes);
        run(
                table,
                () -> changeValue(table, random.nextInt(KEYS)),
                entry -> entry.key() + "=" + number(entry));
    }

    private void changeValue(HotTable<Integer, String> table, int key) {
        HotEntry<Integer, String> entry = table.find(key, NAMESPACE);
        switch (random.nextInt(4)) {
            case 0 -> table.write(key, NAMESPACE, new int[] {random.nextInt()}, 24, false);
            case 1 -> table.delete(key, NAMESPACE, false);
            case 2 -> {
                if (entry != null && !entry.isTombstone()) {
                    entry = table.thaw(entry, value -> ((int[]) value).clone());
                    ((int[]) entry.value())[0]++;
                    table.update(entry, entry.value(), 24);
                }
            }
            default -> {
                if (entry != null && !entry.isTombstone()) {
                    entry = table.thaw(entry, value -> ((int[]) value).clone());
                    ((int[]) entry.value())[0]++;
                }
            }
        }
    }

    @Test
    void lists() throws Exception {
        HotListTable<Integer, String, int[]> table = new HotListTable<>(clock, bytes);
        run(
                table,
                () -> changeList(table, random.nextInt(KEYS)),
                entry -> entry.key() + "=" + (entry.isTombstone() ? "" : flushed(table, entry)));
    }

    private static String flushed(
            HotListTable<Integer, String, int[]> table, HotEntry<Integer, String> entry) {
        HotList<int[]> list = table.list(entry);
        StringBuilder text = new StringBuilder().append(list.replacesBelow());
        for (int i = list.appendFrom(); i < list.size(); i++) {
            text.append(',').append(list.get(i)[0]);
        }
        return text.toString();
    }

    private void changeList(HotListTable<Integer, String, int[]> table, int key) {
        HotEntry<Integer, String> entry = table.find(key, NAMESPACE);
        switch (random.nextInt(8)) {
            case 0 -> table.delete(key, NAMESPACE, false);
            case 1 -> table.put(key, NAMESPACE, List.of(new int[] {1}), 24, false);
            case 2 -> {
                if (entry != null && !entry.isTombstone()) {
                    entry = table.thawElements(entry, int[]::clone);
                    table.list(entry).view().forEach(element -> element[0]++);
                }
            }
            case 3 -> {
                if (entry != null && !entry.isTombstone() && table.list(entry).baseBelow()) {
                    table.attachBase(entry, List.of(new int[] {2}, new int[] {3}), 48);
                }
            }
            default -> table.append(key, NAMESPACE, new int[] {random.nextInt()}, 24, false);
        }
    }

    @Test
    void maps() throws Exception {
        HotMapTable<Integer, String, Integer> table = new HotMapTable<>(clock, bytes);
        run(
                table,
                () -> changeMap(table, random.nextInt(KEYS / 10), random.nextInt(10)),
                slot -> slot.key() + "/" + slot.userKey() + "=" + number(slot));
    }

    private void changeMap(HotMapTable<Integer, String, Integer> table, int key, int userKey) {
        HotMap<Integer, String, Integer> map = table.findOrCreate(key, NAMESPACE, false);
        HotSlot<Integer, String, Integer> slot = table.find(map, userKey);
        switch (random.nextInt(16)) {
            case 0 -> table.deleteAll(map);
            case 1, 2 -> table.delete(map, userKey, false);
            case 3, 4, 5, 6 -> {
                if (slot != null && !slot.isTombstone()) {
                    slot = table.thaw(slot, value -> ((int[]) value).clone());
                    ((int[]) slot.value())[0]++;
                }
            }
            default -> table.write(map, userKey, new int[] {random.nextInt()}, 24, false);
        }
    }

    private static String number(HotNode node) {
        return node.isTombstone() ? "deleted" : "" + ((int[]) node.value())[0];
    }

    private <E extends HotNode> void run(
            EpochTable<E> table, Runnable change, Function<E, String> content) throws Exception {
        for (int i = 0; i < OPERATIONS; i++) {
            change.run();
        }
        for (int epoch = 0; epoch < EPOCHS; epoch++) {
            int sealed = clock.seal();
            DirtyEntries<E> dirty = table.seal();
            List<String> expected = read(dirty, content);
            AtomicBoolean stop = new AtomicBoolean();
            Future<Integer> flush =
                    flushThread.submit(() -> readUntilStopped(dirty, content, expected, stop));
            for (int i = 0; i < OPERATIONS; i++) {
                change.run();
                if (i % 100 == 0) {
                    table.evict(random.nextInt(5000));
                }
            }
            stop.set(true);
            assertThat(flush.get()).isPositive();
            if (epoch % 3 == 2) {
                clock.installed(sealed);
            }
        }
    }

    private static <E extends HotNode> int readUntilStopped(
            DirtyEntries<E> dirty,
            Function<E, String> content,
            List<String> expected,
            AtomicBoolean stop) {
        int rounds = 0;
        do {
            assertThat(read(dirty, content)).isEqualTo(expected);
            rounds++;
        } while (!stop.get());
        return rounds;
    }

    private static <E extends HotNode> List<String> read(
            DirtyEntries<E> dirty, Function<E, String> content) {
        List<String> read = new ArrayList<>();
        dirty.forEach(node -> read.add(content.apply(node)));
        return read;
    }
}
