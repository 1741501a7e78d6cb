/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.PageCompression;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.io.StorageDirectory;
import io.strata.flink.io.StorageOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random segments are read back as they were written, in every way there is to read.
 *
 * <p>{@code -Dstrata.segment.seed=N} replays one seed, {@code -Dstrata.segment.seeds=N} tries that
 * many.
 */
class SegmentRoundTripTest {

    private static final int[] PAGE_BYTES = {64, 128, 250, 1024, 4096};

    /** One source that goes from segment to segment, to see that it keeps them apart. */
    private static final PageSource SHARED = new StreamingPageSource(1000);

    @TempDir Path temp;

    @Test
    void readsBackWhatWasWritten() throws IOException {
        Long only = Long.getLong("strata.segment.seed");
        int seeds = only != null ? 1 : Integer.getInteger("strata.segment.seeds", 60);
        for (int i = 0; i < seeds; i++) {
            long seed = only != null ? only : i;
            try (StorageDirectory dir =
                    LocalStorageDirectory.create(temp.resolve("seed-" + seed))) {
                new RoundTrip(dir, seed).check();
            } catch (Exception | AssertionError e) {
                throw new AssertionError("replay with -Dstrata.segment.seed=" + seed, e);
            }
        }
    }

    /** One random segment. */
    private static final class RoundTrip {

        private final StorageDirectory dir;
        private final Random random;
        private final SegmentOptions options;
        private final List<RunSpec> specs = new ArrayList<>();
        private final List<List<TestRecord>> runs = new ArrayList<>();
        private final List<RandomRecords> makers = new ArrayList<>();

        RoundTrip(StorageDirectory dir, long seed) {
            this.dir = dir;
            this.random = new Random(seed);
            this.options =
                    new SegmentOptions(
                            PAGE_BYTES[random.nextInt(PAGE_BYTES.length)],
                            1 + random.nextInt(16),
                            PageCompression.values()[random.nextInt(2)]);
            int count = random.nextInt(4);
            for (int i = 0; i < count; i++) {
                boolean grouped = random.nextBoolean();
                RandomRecords maker = new RandomRecords(random, grouped, options.pageBytes());
                makers.add(maker);
                specs.add(new RunSpec("state-" + i, grouped, random.nextLong()));
                runs.add(maker.records(random.nextInt(600)));
            }
        }

        void check() throws IOException {
            SegmentId id = new SegmentId(random.nextLong(), random.nextLong());
            long length = write(id);
            assertThat(dir.sizeBytes(id.fileName())).isEqualTo(length);
            Segment segment = Segment.open(dir, id, KeyGroupSpan.ALL);
            check(segment, KeyGroupSpan.ALL);
            int low = random.nextInt(200);
            KeyGroupSpan span = new KeyGroupSpan(low, low + random.nextInt(5000));
            try (StorageDirectory restored = LocalStorageDirectory.create(dir.path("restored"))) {
                copySparse(segment, restored, span);
                Segment sparse = Segment.open(restored, id, span);
                check(sparse, span);
                sparse.release();
                assertThat(restored.list()).isEmpty();
            }
            segment.release();
            assertThat(dir.list()).isEmpty();
        }

        private long write(SegmentId id) throws IOException {
            try (SegmentWriter writer = SegmentWriter.create(dir, id, options)) {
                for (int i = 0; i < runs.size(); i++) {
                    writer.beginRun(specs.get(i));
                    for (TestRecord record : runs.get(i)) {
                        if (random.nextBoolean()) {
                            record.writeTo(writer);
                        } else {
                            record.writeTo(writer, 1 + random.nextInt(300));
                        }
                    }
                    writer.endRun();
                }
                return writer.finish();
            }
        }

        /** Copies only what a span needs, as a download after a rescale does. */
        private void copySparse(Segment segment, StorageDirectory target, KeyGroupSpan span)
                throws IOException {
            SegmentLayout layout =
                    SegmentLayout.read("remote", segment.id(), segment.fileBytes(), segment::read);
            try (StorageOutput out = target.create(segment.id().fileName())) {
                for (SegmentLayout.ByteRange range : layout.rangesFor(span)) {
                    ByteBuffer part = ByteBuffer.allocate((int) range.length());
                    segment.read(range.offset(), part);
                    out.writeAt(range.offset(), part.array(), 0, part.capacity());
                }
            }
        }

        private void check(Segment segment, KeyGroupSpan span) throws IOException {
            segment.verifyData();
            List<List<TestRecord>> written =
                    runs.stream().filter(records -> !records.isEmpty()).toList();
            assertThat(segment.runs()).hasSize(written.size());
            for (int i = 0, ordinal = 0; i < runs.size(); i++) {
                if (runs.get(i).isEmpty()) {
                    continue;
                }
                Run run = segment.runs().get(ordinal);
                assertThat(run.ordinal()).isEqualTo(ordinal++);
                assertThat(run.spec()).isEqualTo(specs.get(i));
                List<TestRecord> present =
                        runs.get(i).stream().filter(r -> span.contains(r.keyGroup())).toList();
                checkTotals(run, present);
                checkScan(run, present);
                checkFind(run, present);
                checkAbsent(run, present, makers.get(i));
                checkSeek(run, present, makers.get(i));
            }
        }

        private void checkTotals(Run run, List<TestRecord> records) {
            List<TestRecord> living =
                    records.stream().filter(r -> r.kind() != RecordKind.DELETE).toList();
            assertThat(run.records()).isEqualTo(records.size());
            assertThat(run.tombstones()).isEqualTo(records.size() - living.size());
            assertThat(run.minTtl())
                    .isEqualTo(
                            living.stream()
                                    .mapToLong(TestRecord::ttlTimestamp)
                                    .min()
                                    .orElse(SegmentWriter.NO_TTL));
            assertThat(run.maxTtl())
                    .isEqualTo(
                            living.stream()
                                    .mapToLong(TestRecord::ttlTimestamp)
                                    .max()
                                    .orElse(SegmentWriter.NO_TTL));
            if (!records.isEmpty()) {
                assertThat(run.firstKeyGroup()).isEqualTo(records.get(0).keyGroup());
                assertThat(run.lastKeyGroup())
                        .isEqualTo(records.get(records.size() - 1).keyGroup());
            } else {
                assertThat(run.lastKeyGroup()).isLessThan(run.firstKeyGroup());
            }
        }

        private void checkScan(Run run, List<TestRecord> records) throws IOException {
            PageSource streaming = new StreamingPageSource(64 + random.nextInt(10_000));
            assertThat(TestRecord.drain(run.scan(KeyGroupSpan.ALL, streaming))).isEqualTo(records);
            int first = random.nextInt(128);
            KeyGroupSpan span = new KeyGroupSpan(first, first + random.nextInt(1000));
            RunView view = new RunView(run, span);
            List<TestRecord> visible =
                    records.stream().filter(r -> span.contains(r.keyGroup())).toList();
            assertThat(TestRecord.drain(view.scan(KeyGroupSpan.ALL, new DirectPageSource())))
                    .isEqualTo(visible);
            assertThat(view.records()).isEqualTo(visible.size());
        }

        private void checkFind(Run run, List<TestRecord> records) throws IOException {
            PageSource pages = new DirectPageSource();
            FoundRecord found = new FoundRecord();
            for (TestRecord record : records) {
                ByteSlice key = new ByteSlice(record.key());
                assertThat(run.mayContain(record.keyGroup(), record.orderKey())).isTrue();
                assertThat(run.mayContainGroup(record.keyGroup(), (int) (record.orderKey() >>> 32)))
                        .isTrue();
                assertThat(run.find(record.keyGroup(), record.orderKey(), key, pages, found))
                        .as("%s", record)
                        .isTrue();
                assertThat(found.kind()).isEqualTo(record.kind());
                assertThat(found.valueBytes()).isEqualTo(record.value().length);
                boolean parts = random.nextInt(3) == 0;
                byte[] value = parts ? readInParts(found) : found.value().toArray();
                assertThat(value).isEqualTo(record.value());
                assertThat(found.key().contentEquals(key)).isTrue();
            }
        }

        private byte[] readInParts(FoundRecord found) throws IOException {
            ByteArrayOutputStream value = new ByteArrayOutputStream();
            byte[] part = new byte[1 + random.nextInt(100)];
            for (int n = found.readValue(part, 0, part.length);
                    n >= 0;
                    n = found.readValue(part, 0, part.length)) {
                value.write(part, 0, n);
            }
            return value.toByteArray();
        }

        private void checkAbsent(Run run, List<TestRecord> records, RandomRecords maker)
                throws IOException {
            PageSource pages = SHARED;
            FoundRecord found = new FoundRecord();
            Set<TestRecord> sorted = new TreeSet<>(TestRecord.ORDER);
            sorted.addAll(records);
            for (TestRecord record : records) {
                byte[] other = record.key().clone();
                other[other.length - 1] ^= 1;
                TestRecord absent =
                        new TestRecord(
                                record.keyGroup(),
                                random.nextBoolean() ? record.orderKey() : maker.orderKey(),
                                RecordKind.PUT,
                                other,
                                new byte[0],
                                0);
                boolean present = sorted.contains(absent);
                assertThat(
                                run.find(
                                        absent.keyGroup(),
                                        absent.orderKey(),
                                        new ByteSlice(other),
                                        pages,
                                        found))
                        .isEqualTo(present);
            }
        }

        private void checkSeek(Run run, List<TestRecord> records, RandomRecords maker)
                throws IOException {
            PageSource pages = new DirectPageSource();
            for (int i = 0; i < 10; i++) {
                TestRecord start =
                        records.isEmpty() ? null : records.get(random.nextInt(records.size()));
                int keyGroup =
                        start == null || random.nextInt(5) == 0
                                ? random.nextInt(130)
                                : start.keyGroup();
                long from =
                        start == null || random.nextInt(3) == 0
                                ? maker.orderKey()
                                : start.orderKey() + random.nextInt(3) - 1;
                List<TestRecord> expected =
                        records.stream()
                                .filter(r -> r.keyGroup() == keyGroup)
                                .filter(r -> Long.compareUnsigned(r.orderKey(), from) >= 0)
                                .toList();
                assertThat(TestRecord.drain(run.seek(keyGroup, from, pages))).isEqualTo(expected);
            }
        }
    }
}
