/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.io.FaultInjectingDirectory;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.segment.RunView;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentMemory;
import io.strata.flink.segment.SegmentOptions;
import io.strata.flink.segment.SegmentWriter;
import io.strata.flink.segment.StreamingPageSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Merges of values and of lists that expire, step by step while time goes on, against a naive
 * reference. After each step the time to live is made endless: whatever a key says then it must
 * have said already before the merge, so nothing older has come back.
 */
class ExpiryMergeModelTest {

    private static final int SEEDS = 80;
    private static final int KEYS = 40;
    private static final RunSpec SPEC = new RunSpec("state", false, 0);
    private static final byte DELIMITER = ',';

    @TempDir Path temp;

    @Test
    void mergesLoseWhatHasExpiredAndNothingElse() throws IOException {
        Long only = Long.getLong("strata.seed");
        long first = only == null ? 0 : only;
        for (long seed = first; seed < (only == null ? SEEDS : first + 1); seed++) {
            try (FaultInjectingDirectory dir =
                    new FaultInjectingDirectory(
                            LocalStorageDirectory.create(temp.resolve("seed-" + seed)))) {
                new Case(dir, new Random(seed)).play();
                assertThat(dir.list()).isEmpty();
                dir.requireNoOpenHandles();
            } catch (Exception | AssertionError e) {
                throw new AssertionError("replay with -Dstrata.seed=" + seed, e);
            }
        }
    }

    /** What runs say of a key: elements oldest first, and whether older ones count too. */
    private record Said(boolean hidesOlder, List<String> elements) {

        Said over(Said older) {
            if (hidesOlder || older == null) {
                return this;
            }
            List<String> all = new ArrayList<>(older.elements);
            all.addAll(elements);
            return new Said(older.hidesOlder, all);
        }
    }

    private static final class Case {

        private final FaultInjectingDirectory dir;
        private final Random random;
        private final boolean lists;
        private final SegmentOptions options;
        private final TestExpiry expiry;
        private final List<RunView> newestFirst = new ArrayList<>();

        Case(FaultInjectingDirectory dir, Random random) {
            this.dir = dir;
            this.random = random;
            this.lists = random.nextBoolean();
            this.options = new SegmentOptions(128 << random.nextInt(4), 10);
            this.expiry = new TestExpiry(lists, 1 + random.nextInt(60));
        }

        void play() throws IOException {
            for (int step = 0; step < 12; step++) {
                expiry.time += random.nextInt(25);
                newestFirst.add(0, writeRun());
                if (newestFirst.size() > 1 && random.nextInt(3) > 0) {
                    mergeSome();
                }
            }
            newestFirst.forEach(view -> view.run().segment().release());
        }

        private RunView writeRun() throws IOException {
            SegmentId id = new SegmentId(random.nextLong(), random.nextLong());
            try (SegmentWriter writer = SegmentWriter.create(dir, id, options)) {
                writer.beginRun(SPEC);
                for (int key = 0; key < KEYS; key++) {
                    if (random.nextInt(3) == 0) {
                        add(writer, key);
                    }
                }
                add(writer, KEYS);
                writer.endRun();
                writer.finish();
            }
            return new RunView(
                    Segment.open(dir, id, KeyGroupSpan.ALL).runs().get(0), KeyGroupSpan.ALL);
        }

        private void add(SegmentWriter writer, int key) throws IOException {
            RecordKind kind =
                    random.nextInt(6) == 0
                            ? RecordKind.DELETE
                            : lists && random.nextBoolean() ? RecordKind.APPEND : RecordKind.PUT;
            List<String> elements = new ArrayList<>();
            int count = lists ? 1 + random.nextInt(4) : 1;
            for (int i = 0; i < count && kind != RecordKind.DELETE; i++) {
                long timestamp = Math.max(0, expiry.time - random.nextInt(30));
                int filler = random.nextInt(60) == 0 ? 80_000 : random.nextInt(20);
                elements.add(TestExpiry.element(timestamp, filler));
            }
            ByteSlice value = ByteSlice.utf8(String.join(",", elements));
            long newest = elements.stream().mapToLong(TestExpiry::timestampOf).max().orElse(0);
            writer.add(1, key, kind, name(key), value, newest);
        }

        private void mergeSome() throws IOException {
            int newest = random.nextInt(newestFirst.size());
            int oldest = newest + random.nextInt(newestFirst.size() - newest);
            boolean bottom = oldest == newestFirst.size() - 1;
            List<RunView> inputs = newestFirst.subList(newest, oldest + 1);
            Map<String, Said> all = said(newestFirst);
            Optional<Segment> output =
                    new Compactor(dir, options, DELIMITER, SegmentMemory.HEAP)
                            .compact(
                                    List.of(new Merge(inputs, bottom, expiry.rules())),
                                    new SegmentId(random.nextLong(), random.nextLong()),
                                    () -> false)
                            .segment();
            inputs.forEach(view -> view.run().segment().release());
            inputs.clear();
            if (output.isPresent()) {
                RunView merged = new RunView(output.get().runs().get(0), KeyGroupSpan.ALL);
                newestFirst.add(newest, merged);
                checkTimestamps(merged);
                checkOutput(merged, bottom);
            }
            checkAll(all);
        }

        /** A key says what it said, less what has expired of what was merged. */
        private void checkAll(Map<String, Said> before) throws IOException {
            Map<String, Said> now = said(newestFirst);
            for (String key : before.keySet()) {
                List<String> left = elements(now.get(key));
                if (!left.isEmpty()) {
                    assertThat(before.get(key).elements()).as(key).containsSubsequence(left);
                }
                List<String> lost = new ArrayList<>(before.get(key).elements());
                left.forEach(lost::remove);
                assertThat(lost).as(key).allMatch(this::isExpired);
            }
            assertThat(before.keySet()).containsAll(now.keySet());
        }

        /** Nothing that has expired is left, and the bottom keeps no tombstone. */
        private void checkOutput(RunView merged, boolean bottom) throws IOException {
            MergeCursor cursor = scan(List.of(merged));
            while (cursor.next()) {
                List<String> left = split(cursor);
                assertThat(left).noneMatch(this::isExpired);
                assertThat(cursor.kind() == RecordKind.DELETE).isEqualTo(left.isEmpty());
                if (bottom) {
                    assertThat(cursor.kind()).isEqualTo(RecordKind.PUT);
                }
            }
        }

        private void checkTimestamps(RunView merged) throws IOException {
            List<Long> newest = new ArrayList<>();
            MergeCursor cursor = scan(List.of(merged));
            while (cursor.next()) {
                split(cursor).stream()
                        .mapToLong(TestExpiry::timestampOf)
                        .max()
                        .ifPresent(newest::add);
            }
            long most = newest.stream().mapToLong(t -> t).max().orElse(Expiry.NO_TTL);
            long least = newest.stream().mapToLong(t -> t).min().orElse(Expiry.NO_TTL);
            assertThat(merged.totals().maxTtl()).isEqualTo(most);
            assertThat(merged.totals().minTtl()).isEqualTo(least);
        }

        private boolean isExpired(String element) {
            return TestExpiry.timestampOf(element) + expiry.timeToLiveMillis() <= expiry.time;
        }

        private static List<String> elements(Said said) {
            return said == null ? List.of() : said.elements();
        }

        /** Reads run by run, without a merge. */
        private Map<String, Said> said(List<RunView> views) throws IOException {
            Map<String, Said> all = new TreeMap<>();
            for (int i = views.size() - 1; i >= 0; i--) {
                MergeCursor cursor = scan(List.of(views.get(i)));
                while (cursor.next()) {
                    String key = new String(cursor.key().toArray(), UTF_8);
                    Said said = new Said(cursor.kind() != RecordKind.APPEND, split(cursor));
                    all.put(key, said.over(all.get(key)));
                }
            }
            return all;
        }

        private static MergeCursor scan(List<RunView> views) {
            return MergeCursor.scan(
                    views,
                    KeyGroupSpan.ALL,
                    DELIMITER,
                    new ValueConverters(ValueRules.NONE),
                    StreamingPageSource::of);
        }

        private static List<String> split(MergeCursor cursor) throws IOException {
            String value = new String(cursor.value().toArray(), UTF_8);
            return value.isEmpty() ? List.of() : List.of(value.split(","));
        }

        private static ByteSlice name(int key) {
            return ByteSlice.utf8("key-" + key);
        }
    }
}
