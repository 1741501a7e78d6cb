/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.io.StorageDirectory;
import io.strata.flink.segment.RunView;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentOptions;
import io.strata.flink.segment.SegmentWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Runs of random records on disk, and what they say together according to a sorted map. */
final class ModelRuns {

    static final long SCHEMA_ID = 42;
    static final ValueRules RULES = ValueRules.sameSchema(SCHEMA_ID);
    static final byte DELIMITER = ',';
    static final RunSpec SPEC = new RunSpec("state", false, SCHEMA_ID);
    static final int KEY_GROUPS = 6;

    /** A key at its place in the order of records. */
    record Key(int keyGroup, long orderKey, String text) implements Comparable<Key> {

        private static final Comparator<Key> ORDER =
                Comparator.comparingInt(Key::keyGroup)
                        .thenComparing(Key::orderKey, Long::compareUnsigned)
                        .thenComparing(Key::text);

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    /** What one record, or several together, say of a key. */
    record Content(RecordKind kind, byte[] value) {

        /** Returns what this says on top of something older, which may be null. */
        Content over(Content older) {
            if (kind != RecordKind.APPEND || older == null) {
                return this;
            }
            if (older.kind == RecordKind.DELETE) {
                return new Content(RecordKind.PUT, value);
            }
            byte[] joined = Arrays.copyOf(older.value, older.value.length + 1 + value.length);
            joined[older.value.length] = DELIMITER;
            System.arraycopy(value, 0, joined, older.value.length + 1, value.length);
            return new Content(older.kind, joined);
        }

        /** Returns what is left when nothing older can exist; null is nothing. */
        Content atBottom() {
            return kind == RecordKind.DELETE ? null : new Content(RecordKind.PUT, value);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Content that
                    && kind == that.kind
                    && Arrays.equals(value, that.value);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(value);
        }

        @Override
        public String toString() {
            return kind + " " + new ByteSlice(value);
        }
    }

    /** A visible run and the visible records it was written from. */
    record ModelRun(RunView view, TreeMap<Key, Content> records) {}

    private final StorageDirectory dir;
    private final Random random;
    private final SegmentOptions options;
    private final List<Key> keys = new ArrayList<>();
    final List<ModelRun> newestFirst = new ArrayList<>();

    ModelRuns(StorageDirectory dir, Random random, int runs, int keyCount) throws IOException {
        this.dir = dir;
        this.random = random;
        this.options = new SegmentOptions(64 << random.nextInt(7), 10);
        for (int i = 0; i < keyCount; i++) {
            long orderKey = random.nextInt(8) == 0 ? random.nextInt(3) - 1 : random.nextLong();
            keys.add(new Key(random.nextInt(KEY_GROUPS), orderKey, "k" + i));
        }
        for (int i = 0; i < runs; i++) {
            addNewest();
        }
    }

    SegmentOptions options() {
        return options;
    }

    SegmentId newId() {
        return new SegmentId(random.nextLong(), random.nextLong());
    }

    List<RunView> views() {
        return newestFirst.stream().map(ModelRun::view).toList();
    }

    /** Writes a random run, mostly one that is wholly visible. */
    private void addNewest() throws IOException {
        TreeMap<Key, Content> records = new TreeMap<>();
        int count = random.nextInt(keys.size() + 1);
        records.put(keys.get(0), randomContent());
        for (int i = 0; i < count; i++) {
            records.put(keys.get(random.nextInt(keys.size())), randomContent());
        }
        Segment segment = write(records);
        KeyGroupSpan clip = random.nextInt(4) == 0 ? randomSpan() : KeyGroupSpan.ALL;
        records.keySet().removeIf(key -> !clip.contains(key.keyGroup()));
        newestFirst.add(0, new ModelRun(new RunView(segment.runs().get(0), clip), records));
    }

    KeyGroupSpan randomSpan() {
        int first = random.nextInt(KEY_GROUPS);
        return new KeyGroupSpan(first, first + random.nextInt(KEY_GROUPS - first));
    }

    private Content randomContent() {
        RecordKind kind = RecordKind.ofCode(random.nextInt(3));
        int bytes =
                switch (random.nextInt(200)) {
                    case 0 -> RunMerge.STREAM_BYTES + random.nextInt(200_000);
                    case 1, 2, 3 -> random.nextInt(20_000);
                    case 4, 5, 6, 7 -> 0;
                    default -> random.nextInt(60);
                };
        byte[] value = new byte[kind == RecordKind.DELETE ? 0 : bytes];
        random.nextBytes(value);
        return new Content(kind, value);
    }

    private Segment write(TreeMap<Key, Content> records) throws IOException {
        SegmentId id = newId();
        try (SegmentWriter writer = SegmentWriter.create(dir, id, options)) {
            writer.beginRun(SPEC);
            for (Map.Entry<Key, Content> record : records.entrySet()) {
                writer.add(
                        record.getKey().keyGroup(),
                        record.getKey().orderKey(),
                        record.getValue().kind(),
                        ByteSlice.utf8(record.getKey().text()),
                        new ByteSlice(record.getValue().value()),
                        SegmentWriter.NO_TTL);
            }
            writer.endRun();
            writer.finish();
        }
        return Segment.open(dir, id, KeyGroupSpan.ALL);
    }

    /** Returns what neighbours say together. */
    static TreeMap<Key, Content> merged(List<ModelRun> newestFirst) {
        TreeMap<Key, Content> merged = new TreeMap<>();
        for (int i = newestFirst.size() - 1; i >= 0; i--) {
            newestFirst
                    .get(i)
                    .records()
                    .forEach((key, newer) -> merged.put(key, newer.over(merged.get(key))));
        }
        return merged;
    }

    /** Returns what is left of content when nothing older exists. */
    static TreeMap<Key, Content> atBottom(TreeMap<Key, Content> contents) {
        TreeMap<Key, Content> left = new TreeMap<>();
        contents.forEach(
                (key, content) -> {
                    if (content.atBottom() != null) {
                        left.put(key, content.atBottom());
                    }
                });
        return left;
    }

    /** Reads all that a cursor has, each value in one of the two ways. */
    TreeMap<Key, Content> drain(MergeCursor cursor) throws IOException {
        TreeMap<Key, Content> contents = new TreeMap<>();
        while (cursor.next()) {
            Key key =
                    new Key(
                            cursor.keyGroup(),
                            cursor.orderKey(),
                            new String(cursor.key().toArray(), StandardCharsets.UTF_8));
            if (!contents.isEmpty() && contents.lastKey().compareTo(key) >= 0) {
                throw new AssertionError(key + " comes after " + contents.lastKey());
            }
            byte[] value = random.nextBoolean() ? cursor.value().toArray() : readInParts(cursor);
            if (value.length != cursor.valueBytes()) {
                throw new AssertionError(value.length + " bytes, not " + cursor.valueBytes());
            }
            contents.put(key, new Content(cursor.kind(), value));
        }
        return contents;
    }

    private byte[] readInParts(MergeCursor cursor) throws IOException {
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        byte[] part = new byte[1 + random.nextInt(cursor.valueBytes() > 1_000 ? 5_000 : 30)];
        int offset = random.nextInt(part.length);
        for (int read = cursor.readValue(part, offset, part.length - offset);
                read >= 0;
                read = cursor.readValue(part, offset, part.length - offset)) {
            value.write(part, offset, read);
        }
        return value.toByteArray();
    }

    /** Gives all segments back. */
    void release() {
        newestFirst.forEach(run -> run.view().run().segment().release());
        newestFirst.clear();
    }
}
