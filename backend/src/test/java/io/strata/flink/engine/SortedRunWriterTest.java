/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.segment.RunCursor;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentOptions;
import io.strata.flink.segment.SegmentWriter;
import io.strata.flink.segment.StreamingPageSource;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of sorting one flush into record order. */
class SortedRunWriterTest {
    private static final KeyGroupSpan ONE_KEY_GROUP = new KeyGroupSpan(3, 3);

    @TempDir Path directory;

    /** The model test found (seed 63) that 64 keys of one key group in a first flush broke it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 127, 128, 129, 300})
    void writesAnyNumberOfKeysOfOneKeyGroupInOrder(int count) throws IOException {
        LocalStorageDirectory storage = LocalStorageDirectory.create(directory);
        SortedRunWriter runWriter = new SortedRunWriter(ONE_KEY_GROUP);
        var id = SegmentIds.next();
        try (SegmentWriter writer =
                SegmentWriter.create(storage, id, new SegmentOptions(1024, 10))) {
            runWriter.write(new Descending(count), writer);
            writer.finish();
        }

        Segment segment = Segment.open(storage, id, KeyGroupSpan.ALL);
        RunCursor cursor = segment.runs().get(0).scan(ONE_KEY_GROUP, new StreamingPageSource(1024));
        for (int i = 0; i < count; i++) {
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.orderKey()).isEqualTo(i);
            assertThat(cursor.key().toArray())
                    .containsExactly(new byte[] {0, 3, (byte) (i >> 8), (byte) i});
        }
        assertThat(cursor.next()).isFalse();
        segment.release();
    }

    /** Few entries in many key groups: what memory takes goes with the entries. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 40, 300, 5_000})
    void fewKeysOfManyKeyGroups(int count) throws IOException {
        KeyGroupSpan all = new KeyGroupSpan(0, KeyGroupSpan.MAX_KEY_GROUP);
        LocalStorageDirectory storage = LocalStorageDirectory.create(directory);
        var id = SegmentIds.next();
        try (SegmentWriter writer =
                SegmentWriter.create(storage, id, new SegmentOptions(1024, 10))) {
            new SortedRunWriter(all).write(new Spread(count), writer);
            writer.finish();
        }

        Segment segment = Segment.open(storage, id, all);
        RunCursor cursor = segment.runs().get(0).scan(all, new StreamingPageSource(1024));
        int entries = 0;
        int keyGroup = -1;
        while (cursor.next()) {
            assertThat(cursor.keyGroup()).isGreaterThanOrEqualTo(keyGroup);
            keyGroup = cursor.keyGroup();
            entries++;
        }
        assertThat(entries).isEqualTo(count);
        for (int i = 0; i < count; i++) {
            assertThat(segment.runs().get(0).mayContain(Spread.keyGroupOf(i), i)).isTrue();
        }
        assertThat(segment.runs().get(0).mayContain(Spread.keyGroupOf(0) + 1, 0)).isFalse();
        assertThat(segment.metadataBytes()).isLessThan(200L * count);
        segment.release();
    }

    /** Entries far apart: entry i has order key i. */
    private record Spread(int size) implements FlushBatch {

        /** Leaves gaps: every key group is even. */
        static int keyGroupOf(int index) {
            return 2 * ((index * 7_919) % (KeyGroupSpan.MAX_KEY_GROUP / 2));
        }

        @Override
        public RunSpec spec() {
            return new RunSpec("state", false, 0);
        }

        @Override
        public int keyGroup(int index) {
            return keyGroupOf(index);
        }

        @Override
        public long encodeKey(int index, ByteSlice out) {
            int keyGroup = keyGroupOf(index);
            out.set(
                    new byte[] {
                        (byte) (keyGroup >> 8), (byte) keyGroup, (byte) (index >> 8), (byte) index
                    },
                    0,
                    4);
            return index;
        }

        @Override
        public RecordKind kind(int index) {
            return RecordKind.PUT;
        }

        @Override
        public void encodeValue(int index, ByteSlice out) {
            out.set(new byte[] {1}, 0, 1);
        }
    }

    /** Entries whose order keys descend: entry i has order key size - 1 - i. */
    private record Descending(int size) implements FlushBatch {

        @Override
        public RunSpec spec() {
            return new RunSpec("state", false, 0);
        }

        @Override
        public int keyGroup(int index) {
            return ONE_KEY_GROUP.first();
        }

        @Override
        public long encodeKey(int index, ByteSlice out) {
            int orderKey = size - 1 - index;
            out.set(new byte[] {0, 3, (byte) (orderKey >> 8), (byte) orderKey}, 0, 4);
            return orderKey;
        }

        @Override
        public RecordKind kind(int index) {
            return RecordKind.PUT;
        }

        @Override
        public void encodeValue(int index, ByteSlice out) {
            out.set(new byte[] {1}, 0, 1);
        }
    }
}
