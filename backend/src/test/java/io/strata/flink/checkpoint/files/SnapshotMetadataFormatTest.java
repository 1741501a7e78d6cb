/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.engine.StoreManifest;
import io.strata.flink.engine.StoreManifest.RunRef;
import io.strata.flink.engine.StoreManifest.SegmentEntry;
import io.strata.flink.engine.StoreManifest.StateRuns;
import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.bytes.FormatException;
import io.strata.flink.format.bytes.FormatTooNewException;
import io.strata.flink.format.bytes.FormatTooOldException;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.schema.SavedSchemas;
import io.strata.flink.schema.Schema;
import io.strata.flink.segment.SegmentLayout.ByteRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Round trips, damage and other versions of the metadata of checkpoints. */
class SnapshotMetadataFormatTest {

    private static final int CASES = 200;
    private static final long FIRST_SEED = 40;
    private static final int VERSION_OFFSET = Long.BYTES;

    @Test
    void readsBackWhatItWrote() throws Exception {
        for (int i = 0; i < CASES; i++) {
            long seed = FIRST_SEED + i;
            SnapshotMetadata written = random(new Random(seed));

            byte[] bytes = SnapshotMetadataFormat.encode(written);
            SnapshotMetadata read = SnapshotMetadataFormat.decode("file", bytes);

            assertThat(SnapshotMetadataFormat.isOurs(bytes)).isTrue();
            assertThat(read.flinkMetadata()).as("seed %d", seed).isEqualTo(written.flinkMetadata());
            assertThat(read.manifest()).as("seed %d", seed).isEqualTo(written.manifest());
            assertThat(read.segments()).as("seed %d", seed).isEqualTo(written.segments());
            assertThat(read.schemas()).as("seed %d", seed).isEqualTo(written.schemas());
            assertThat(read.hasTimers()).as("seed %d", seed).isEqualTo(written.hasTimers());
        }
    }

    @Test
    void findsEveryFlippedBit() {
        byte[] bytes = SnapshotMetadataFormat.encode(random(new Random(FIRST_SEED)));
        for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
            byte[] damaged = bytes.clone();
            damaged[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));

            assertThatThrownBy(() -> SnapshotMetadataFormat.decode("the-file", damaged))
                    .as("bit %d", bit)
                    .isInstanceOf(FormatException.class)
                    .hasMessageContaining("the-file");
        }
    }

    @Test
    void findsEveryTruncation() {
        byte[] bytes = SnapshotMetadataFormat.encode(random(new Random(FIRST_SEED)));
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);

            assertThatThrownBy(() -> SnapshotMetadataFormat.decode("the-file", cut))
                    .as("length %d", length)
                    .isInstanceOf(CorruptFormatException.class);
        }
    }

    @Test
    void findsBytesThatWereAppended() {
        byte[] bytes = SnapshotMetadataFormat.encode(random(new Random(FIRST_SEED)));

        assertThatThrownBy(
                        () ->
                                SnapshotMetadataFormat.decode(
                                        "file", Arrays.copyOf(bytes, bytes.length + 1)))
                .isInstanceOf(CorruptFormatException.class);
    }

    @Test
    void namesNewerAndOlderVersions() {
        byte[] bytes = SnapshotMetadataFormat.encode(random(new Random(FIRST_SEED)));
        byte[] newer = bytes.clone();
        newer[VERSION_OFFSET] = SnapshotMetadataFormat.VERSION_CURRENT + 1;
        byte[] older = bytes.clone();
        older[VERSION_OFFSET] = SnapshotMetadataFormat.VERSION_START - 1;

        assertThatThrownBy(() -> SnapshotMetadataFormat.decode("the-file", newer))
                .isInstanceOf(FormatTooNewException.class)
                .hasMessageContaining("the-file");
        assertThatThrownBy(() -> SnapshotMetadataFormat.decode("the-file", older))
                .isInstanceOf(FormatTooOldException.class);
    }

    @Test
    void knowsForeignBytes() {
        assertThat(SnapshotMetadataFormat.isOurs(new byte[] {0, 0, 0, 6})).isFalse();
        assertThat(SnapshotMetadataFormat.isOurs(new byte[100])).isFalse();
    }

    private static SnapshotMetadata random(Random random) {
        byte[] flinkMetadata = new byte[random.nextInt(50)];
        random.nextBytes(flinkMetadata);
        List<RemoteSegment> segments = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            segments.add(randomSegment(random));
        }
        List<StateRuns> states = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            List<RunRef> runs = new ArrayList<>();
            for (int j = random.nextInt(4); j > 0; j--) {
                int first = random.nextInt(1000);
                runs.add(
                        new RunRef(
                                random.nextInt(segments.size()),
                                random.nextInt(500),
                                first,
                                first + random.nextInt(1000)));
            }
            states.add(new StateRuns("state ü " + i, runs));
        }
        List<SegmentEntry> entries =
                segments.stream().map(s -> new SegmentEntry(s.id(), s.fileBytes())).toList();
        return new SnapshotMetadata(
                flinkMetadata,
                new StoreManifest(entries, states),
                segments,
                random.nextBoolean(),
                randomSchemas(random));
    }

    private static List<SavedSchemas> randomSchemas(Random random) {
        List<SavedSchemas> states = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            List<Schema> schemas = new ArrayList<>();
            for (int j = random.nextInt(4); j > 0; j--) {
                byte[] snapshot = new byte[random.nextInt(200)];
                random.nextBytes(snapshot);
                long ttlSince = random.nextBoolean() ? Schema.NO_TIME : random.nextLong();
                schemas.add(new Schema(random.nextLong(), snapshot, ttlSince));
            }
            states.add(new SavedSchemas("state ü " + i, random.nextLong(), schemas));
        }
        return states;
    }

    private static RemoteSegment randomSegment(Random random) {
        SegmentId id = new SegmentId(random.nextLong(), random.nextLong());
        if (random.nextBoolean()) {
            return RemoteSegment.whole(id, random.nextLong(1L << 40));
        }
        List<ByteRange> extents = new ArrayList<>();
        long end = 0;
        for (int i = random.nextInt(5); i > 0; i--) {
            ByteRange extent =
                    new ByteRange(end + random.nextInt(1000), 1 + random.nextInt(100_000));
            extents.add(extent);
            end = extent.end();
        }
        int first = random.nextInt(100);
        return new RemoteSegment(
                id,
                end + random.nextInt(100),
                new KeyGroupSpan(first, first + random.nextInt(100)),
                extents);
    }
}
