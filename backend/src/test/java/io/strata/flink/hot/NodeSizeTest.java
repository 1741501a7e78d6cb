/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.info.GraphLayout;

/** What the objects of the hot tier take on the heap, and how sizes are packed into flags. */
class NodeSizeTest {

    static {
        ObjectGraphs.prepare();
    }

    @Test
    void nodesTakeWhatTheyAreCountedAs() {
        assertThat(sizeOf(HotEntry.class)).isEqualTo(EpochTable.NODE_BYTES);
        assertThat(sizeOf(HotSlot.class)).isEqualTo(EpochTable.NODE_BYTES);
        assertThat(sizeOf(HotMap.class)).isEqualTo(HotMap.BYTES);
        assertThat(sizeOf(HotList.class)).isEqualTo(HotList.BYTES);
    }

    @Test
    void aTableTakesWhatItSays() {
        HotTable<Long, String> table = new HotTable<>(new EpochClock(), new HotBytes());
        long empty = GraphLayout.parseInstance(table).totalSize() - table.bytes();
        for (long key = 0; key < 10_000; key++) {
            table.write(key + 1000, "namespace", new byte[100], 120, true);
        }
        long keyBytes = 10_000 * 24;
        long other = GraphLayout.parseInstance(table).totalSize() - table.bytes() - keyBytes;
        assertThat(other).isBetween(empty, empty + 500);
    }

    @Test
    void whatEvictionKeepsIsCounted() {
        HotTable<Long, String> table = new HotTable<>(new EpochClock(), new HotBytes());
        for (int i = 0; i < 4; i++) {
            // a cache of small longs keeps these keys
            table.insertClean((long) i, "namespace", "", 0);
        }
        table.evict(40);
        long before = GraphLayout.parseInstance(table).totalSize() - table.bytes();
        for (long key = 0; key < 20_000; key++) {
            table.insertClean(key + 1000, "namespace", "", 0);
            if (table.entries() > 5000) {
                table.evict(40 * 100);
            }
        }
        long keyBytes = table.entries() * 24;
        long other = GraphLayout.parseInstance(table).totalSize() - table.bytes() - keyBytes;
        assertThat(other).isBetween(before - 200, before + 500);
        assertThat(table.evictorBytes()).isBetween(5000L, 8 * table.entries());
        table.checkStructure();
    }

    @Test
    void aMapTableTakesWhatItSays() {
        HotMapTable<Long, String, Integer> table =
                new HotMapTable<>(new EpochClock(), new HotBytes());
        long empty = GraphLayout.parseInstance(table).totalSize() - table.bytes();
        for (long key = 0; key < 1000; key++) {
            HotMap<Long, String, Integer> map = table.findOrCreate(key + 1000, "namespace", true);
            for (int userKey = 0; userKey < key % 20; userKey++) {
                table.write(map, userKey, new byte[100], 120, true);
            }
        }
        long keyBytes = 1000 * 24 + 19 * 16;
        long other = GraphLayout.parseInstance(table).totalSize() - table.bytes() - keyBytes;
        assertThat(other).isBetween(empty, empty + 500);
    }

    @Test
    void aListTakesWhatItSays() {
        HotListTable<Long, String, Long> table =
                new HotListTable<>(new EpochClock(), new HotBytes());
        for (long element = 0; element < 1000; element++) {
            table.append(1L, "namespace", element + 1000, 24, true);
        }
        HotList<Long> list = table.list(table.find(1L, "namespace"));
        assertThat(GraphLayout.parseInstance(list).totalSize()).isEqualTo(list.heapBytes());
    }

    @Test
    void sizesAreRoundedUpAndNeverLost() {
        for (long size : new long[] {0, 1, 8, 9, 1 << 20, (1 << 27) - 8}) {
            assertThat(unpacked(size)).isEqualTo(EntrySizer.align(size));
        }
        assertThat(unpacked((1L << 27) - 7)).isEqualTo(1L << 27);
        assertThat(unpacked((1L << 33) + 1)).isEqualTo((1L << 33) + 4096);
        assertThat(unpacked(Long.MAX_VALUE >> 13)).isEqualTo(((1L << 24) - 1) << 12);
        assertThatThrownBy(() -> HotNode.packSize(-1)).hasMessageContaining("-1");
    }

    @Test
    void packedSizesLeaveTheFlagsAlone() {
        HotEntry<String, String> entry = new HotEntry<>("key", "namespace", 0);
        entry.bits = HotNode.TOMBSTONE | HotNode.PROBATION | HotNode.HITS;
        entry.setSize(HotNode.packSize(1L << 33));
        entry.setSize(HotNode.packSize(40));
        assertThat(entry.sizeBytes()).isEqualTo(40);
        assertThat(entry.isTombstone()).isTrue();
        assertThat(entry.has(HotNode.PROBATION)).isTrue();
        assertThat(entry.hits()).isEqualTo(HotNode.MAX_HITS);
        assertThat(entry.has(HotNode.THAWED)).isFalse();
    }

    private static long unpacked(long size) {
        return HotNode.unpackSize(HotNode.packSize(size));
    }

    private static long sizeOf(Class<?> type) {
        return ClassLayout.parseClass(type).instanceSize();
    }
}
