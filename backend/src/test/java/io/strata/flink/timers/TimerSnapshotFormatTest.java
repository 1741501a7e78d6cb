/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.timers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.bytes.FormatException;
import io.strata.flink.format.bytes.FormatTooNewException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;
import org.junit.jupiter.api.Test;

/** Writes timers, reads them for other key groups, and finds damage. */
class TimerSnapshotFormatTest {

    private static final int KEY_GROUPS = 16;
    private static final KeyGroupRange ALL = KeyGroupRange.of(0, KEY_GROUPS - 1);
    private static final TimerSerializer<Integer, String> SERIALIZER =
            new TimerSerializer<>(IntSerializer.INSTANCE, StringSerializer.INSTANCE);

    @Test
    void readsTheTimersOfTheKeyGroupsAskedFor() throws Exception {
        HeapTimers timers = new HeapTimers(ALL, KEY_GROUPS);
        List<TimerHeapInternalTimer<Integer, String>> added = addTimers(timers, "event", 500, 7);
        byte[] file = write(timers.snapshot());

        KeyGroupRange low = KeyGroupRange.of(0, 4);
        HeapTimers restored = restore(timers.snapshot(), file, low);

        assertThat(drain(restored, "event"))
                .containsExactlyInAnyOrderElementsOf(
                        added.stream().filter(timer -> low.contains(keyGroup(timer))).toList());
    }

    @Test
    void keepsSeveralQueuesApart() throws Exception {
        HeapTimers timers = new HeapTimers(ALL, KEY_GROUPS);
        List<TimerHeapInternalTimer<Integer, String>> event = addTimers(timers, "event", 20, 1);
        List<TimerHeapInternalTimer<Integer, String>> processing =
                addTimers(timers, "processing", 30, 2);
        timers.create("empty", SERIALIZER, false);

        HeapTimers restored = restore(timers.snapshot(), write(timers.snapshot()), ALL);

        assertThat(drain(restored, "event")).containsExactlyInAnyOrderElementsOf(event);
        assertThat(drain(restored, "processing")).containsExactlyInAnyOrderElementsOf(processing);
        assertThat(drain(restored, "empty")).isEmpty();
    }

    @Test
    void aSnapshotStaysAsItIsWhileTimersGoOn() throws Exception {
        HeapTimers timers = new HeapTimers(ALL, KEY_GROUPS);
        KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<Integer, String>> queue =
                timers.create("event", SERIALIZER, false);
        TimerHeapInternalTimer<Integer, String> timer = new TimerHeapInternalTimer<>(1, 2, "a");
        queue.add(timer);
        TimerSnapshot snapshot = timers.snapshot();
        queue.poll();

        HeapTimers restored = restore(snapshot, write(snapshot), ALL);

        assertThat(snapshot.isEmpty()).isFalse();
        assertThat(timers.snapshot().isEmpty()).isTrue();
        assertThat(drain(restored, "event")).containsExactly(timer);
    }

    @Test
    void findsEveryFlippedBitAndEveryTruncation() throws Exception {
        HeapTimers timers = new HeapTimers(ALL, KEY_GROUPS);
        addTimers(timers, "event", 10, 4);
        TimerSnapshot snapshot = timers.snapshot();
        byte[] file = write(snapshot);

        for (int bit = 0; bit < file.length * Byte.SIZE; bit++) {
            byte[] damaged = file.clone();
            damaged[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
            assertThatThrownBy(() -> restore(snapshot, damaged, ALL))
                    .as("bit %d", bit)
                    .isInstanceOf(FormatException.class)
                    .hasMessageContaining("the-file");
        }
        for (int length = 0; length < file.length; length++) {
            byte[] cut = Arrays.copyOf(file, length);
            assertThatThrownBy(() -> restore(snapshot, cut, ALL))
                    .as("length %d", length)
                    .isInstanceOf(CorruptFormatException.class);
        }
    }

    @Test
    void findsAFileThatIsShorterThanItsHandleSays() throws Exception {
        HeapTimers timers = new HeapTimers(ALL, KEY_GROUPS);
        addTimers(timers, "event", 10, 4);
        byte[] file = write(timers.snapshot());
        byte[] cut = Arrays.copyOf(file, file.length - 1);

        try (FSDataInputStream in = new ByteStreamStateHandle("timers", cut).openInputStream()) {
            assertThatThrownBy(
                            () ->
                                    TimerSnapshotFormat.read(
                                            "the-file",
                                            file.length,
                                            in,
                                            ALL,
                                            new HeapTimers(ALL, KEY_GROUPS)))
                    .isInstanceOf(CorruptFormatException.class)
                    .hasMessageContaining("the-file");
        }
    }

    @Test
    void namesANewerVersion() throws Exception {
        HeapTimers timers = new HeapTimers(ALL, KEY_GROUPS);
        addTimers(timers, "event", 1, 5);
        byte[] newer = write(timers.snapshot());
        newer[Long.BYTES] = TimerSnapshotFormat.VERSION_CURRENT + 1;

        assertThatThrownBy(() -> restore(timers.snapshot(), newer, ALL))
                .isInstanceOf(FormatTooNewException.class);
    }

    private static byte[] write(TimerSnapshot snapshot) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TimerSnapshotFormat.write(snapshot, ALL, out);
        return out.toByteArray();
    }

    private static HeapTimers restore(TimerSnapshot written, byte[] file, KeyGroupRange keyGroups)
            throws IOException {
        HeapTimers restored = new HeapTimers(keyGroups, KEY_GROUPS);
        for (StateMetaInfoSnapshot metaInfo : written.metaInfo()) {
            restored.restoreQueue(metaInfo);
        }
        try (FSDataInputStream in = new ByteStreamStateHandle("timers", file).openInputStream()) {
            TimerSnapshotFormat.read("the-file", file.length, in, keyGroups, restored);
        }
        return restored;
    }

    private static List<TimerHeapInternalTimer<Integer, String>> addTimers(
            HeapTimers timers, String queue, int count, long seed) {
        Random random = new Random(seed);
        KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<Integer, String>> target =
                timers.create(queue, SERIALIZER, false);
        List<TimerHeapInternalTimer<Integer, String>> added = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TimerHeapInternalTimer<Integer, String> timer =
                    new TimerHeapInternalTimer<>(random.nextLong(), i, "window " + i);
            target.add(timer);
            added.add(timer);
        }
        return added;
    }

    private static int keyGroup(TimerHeapInternalTimer<Integer, String> timer) {
        return KeyGroupRangeAssignment.assignToKeyGroup(timer.getKey(), KEY_GROUPS);
    }

    private static List<TimerHeapInternalTimer<Integer, String>> drain(
            HeapTimers timers, String queue) {
        KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<Integer, String>> source =
                timers.create(queue, SERIALIZER, false);
        List<TimerHeapInternalTimer<Integer, String>> drained = new ArrayList<>();
        for (var timer = source.poll(); timer != null; timer = source.poll()) {
            drained.add(timer);
        }
        return drained;
    }
}
