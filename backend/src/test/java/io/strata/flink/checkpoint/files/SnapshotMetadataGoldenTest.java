/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.engine.StoreManifest;
import io.strata.flink.engine.StoreManifest.RunRef;
import io.strata.flink.engine.StoreManifest.SegmentEntry;
import io.strata.flink.engine.StoreManifest.StateRuns;
import io.strata.flink.format.bytes.AnnotatedHex;
import io.strata.flink.format.bytes.Checksums;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.schema.SavedSchemas;
import io.strata.flink.schema.Schema;
import io.strata.flink.segment.SegmentLayout.ByteRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The bytes of both versions of the metadata are what they were.
 *
 * <p>{@code -Dstrata.golden.update=true} rewrites the golden files; a change of one after a release
 * needs a new version of the format.
 */
class SnapshotMetadataGoldenTest {

    private static final Path GOLDEN = Path.of("src/test/resources/golden");
    private static final Path VERSION_1 = GOLDEN.resolve("checkpoint-metadata-v1.hex");
    private static final Path VERSION_2 = GOLDEN.resolve("checkpoint-metadata-v2.hex");
    private static final byte[] FLINK = {10, 20, 30};

    private static final List<RemoteSegment> SEGMENTS =
            List.of(
                    new RemoteSegment(
                            new SegmentId(0x0102030405060708L, 0x1112131415161718L),
                            1000,
                            new KeyGroupSpan(2, 5),
                            List.of(new ByteRange(40, 100), new ByteRange(300, 20))));

    private static final StoreManifest MANIFEST =
            new StoreManifest(
                    SEGMENTS.stream().map(s -> new SegmentEntry(s.id(), s.fileBytes())).toList(),
                    List.of(new StateRuns("counts", List.of(new RunRef(0, 1, 2, 4)))));

    private static final List<SavedSchemas> SCHEMAS =
            List.of(
                    new SavedSchemas(
                            "counts",
                            0x2122232425262728L,
                            List.of(
                                    new Schema(
                                            0x3132333435363738L,
                                            new byte[] {1, 2, 3, 4},
                                            0x4142434445464748L))));

    @Test
    void writesTheGoldenBytes() throws IOException {
        byte[] written = encode(SCHEMAS);
        if (Boolean.getBoolean("strata.golden.update")) {
            Files.writeString(VERSION_1, dump(version1()));
            Files.writeString(VERSION_2, dump(written));
        }
        assertThat(dump(written)).isEqualTo(Files.readString(VERSION_2));
    }

    @Test
    void readsTheGoldenBytes() throws IOException {
        SnapshotMetadata read = read(VERSION_2);

        requireContent(read);
        assertThat(read.schemas()).isEqualTo(SCHEMAS);
    }

    @Test
    void readsVersion1WhichHasNoSchemas() throws IOException {
        SnapshotMetadata read = read(VERSION_1);

        requireContent(read);
        assertThat(read.schemas()).isEmpty();
    }

    private static void requireContent(SnapshotMetadata read) {
        assertThat(read.flinkMetadata()).isEqualTo(FLINK);
        assertThat(read.hasTimers()).isTrue();
        assertThat(read.segments()).isEqualTo(SEGMENTS);
        assertThat(read.manifest()).isEqualTo(MANIFEST);
    }

    private static SnapshotMetadata read(Path golden) throws IOException {
        return SnapshotMetadataFormat.decode(
                golden.toString(), AnnotatedHex.parse(Files.readString(golden)));
    }

    private static byte[] encode(List<SavedSchemas> schemas) {
        return SnapshotMetadataFormat.encode(
                new SnapshotMetadata(FLINK, MANIFEST, SEGMENTS, true, schemas));
    }

    /** Version 1 is version 2 without the last part. */
    private static byte[] version1() {
        byte[] withoutSchemas = encode(List.of());
        byte[] bytes = Arrays.copyOf(withoutSchemas, withoutSchemas.length - 1);
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(Long.BYTES, 1);
        int body = bytes.length - Integer.BYTES;
        buffer.putInt(body, Checksums.crc32c(bytes, 0, body));
        return bytes;
    }

    private static String dump(byte[] bytes) {
        AnnotatedHex hex = new AnnotatedHex();
        add(hex, bytes, "magic STRATACP", 8);
        add(hex, bytes, "version", 4);
        add(hex, bytes, "length of Flink's metadata", 4);
        add(hex, bytes, "Flink's metadata", FLINK.length);
        add(hex, bytes, "has timers", 1);
        add(hex, bytes, "segments: 1", 1);
        add(hex, bytes, "  id, high and low", 16);
        add(hex, bytes, "  file bytes: 1000", 2);
        add(hex, bytes, "  key groups 2 to 5", 2);
        add(hex, bytes, "  extents: 2", 1);
        add(hex, bytes, "    100 bytes from 40", 2);
        add(hex, bytes, "    20 bytes from 300", 3);
        add(hex, bytes, "states: 1", 1);
        add(hex, bytes, "  name counts", 7);
        add(hex, bytes, "  runs: 1", 1);
        add(hex, bytes, "    segment 0, run 1, key groups 2 to 4", 4);
        if (bytes[Long.BYTES] > 1) {
            add(hex, bytes, "keyed states with schemas: 1", 1);
            add(hex, bytes, "  name counts", 7);
            add(hex, bytes, "  current schema", 8);
            add(hex, bytes, "  schemas of runs: 1", 1);
            add(hex, bytes, "    id", 8);
            add(hex, bytes, "    ttl since", 8);
            add(hex, bytes, "    serializer snapshot: 4 bytes", 5);
        }
        add(hex, bytes, "checksum", 4);
        assertThat(hex.offset()).isEqualTo(bytes.length);
        return hex.toString();
    }

    private static void add(AnnotatedHex hex, byte[] bytes, String what, int length) {
        hex.add(what, bytes, hex.offset(), length);
    }
}
