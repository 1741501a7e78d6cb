/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.format.bytes.AnnotatedHex;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.PageCompression;
import io.strata.flink.format.segment.SegmentVersion;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.io.StorageDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The bytes of the current version are what they were when it was released; older ones are read.
 *
 * <p>{@code -Dstrata.golden.update=true} rewrites the golden file; a change of it after a release
 * needs a new version of the format.
 */
class SegmentGoldenTest {

    private static final Path GOLDEN = golden(SegmentVersion.CURRENT);

    @TempDir Path temp;
    private StorageDirectory dir;

    @BeforeEach
    void open() throws IOException {
        dir = LocalStorageDirectory.create(temp.resolve("dir"));
    }

    @Test
    void writesTheGoldenBytes() throws IOException {
        SmallSegment.write(dir);
        byte[] written = Files.readAllBytes(dir.path(SmallSegment.ID.fileName()));
        String dump = SegmentHexDump.of(SmallSegment.ID, written);
        assertThat(AnnotatedHex.parse(dump)).isEqualTo(written);
        if (Boolean.getBoolean("strata.golden.update")) {
            Files.createDirectories(GOLDEN.getParent());
            Files.writeString(GOLDEN, dump);
        }
        assertThat(dump).isEqualTo(Files.readString(GOLDEN));
    }

    private static Path golden(int version) {
        return Path.of("src/test/resources/golden/segment-v%d.hex".formatted(version));
    }

    @ParameterizedTest
    @ValueSource(ints = {SegmentVersion.ORDER_KEY_RUNS, SegmentVersion.SHORT_PAGES})
    void readsTheGoldenBytes(int version) throws IOException {
        byte[] golden = AnnotatedHex.parse(Files.readString(golden(version)));
        SmallSegment.write(dir, golden, golden.length);
        Segment segment = Segment.open(dir, SmallSegment.ID, KeyGroupSpan.ALL);
        assertThat(segment.layout().header().version()).isEqualTo(version);
        segment.verifyData();
        assertThat(segment.runs().stream().map(Run::spec))
                .containsExactly(SmallSegment.COUNTS, SmallSegment.ROUTES);
        assertThat(records(segment.runs().get(0))).isEqualTo(SmallSegment.counts());
        assertThat(records(segment.runs().get(1))).isEqualTo(SmallSegment.routes());
        assertThat(segment.runs().get(0).maxTtl()).isEqualTo(SegmentWriter.NO_TTL);
        assertThat(segment.runs().get(1).minTtl()).isEqualTo(2000);
        assertThat(segment.runs().get(1).maxTtl()).isEqualTo(5000);
        segment.release();
    }

    /** The bytes of an LZ4 block may change with the library; those of this one must be read. */
    @Test
    void readsCompressedGoldenBytes() throws IOException {
        Path file = Path.of("src/test/resources/golden/segment-v2-lz4.hex");
        if (Boolean.getBoolean("strata.golden.update")) {
            SmallSegment.write(dir, SmallSegment.COMPRESSED);
            byte[] written = Files.readAllBytes(dir.path(SmallSegment.ID.fileName()));
            Files.writeString(file, SegmentHexDump.of(SmallSegment.ID, written));
            dir.delete(SmallSegment.ID.fileName());
        }
        byte[] golden = AnnotatedHex.parse(Files.readString(file));
        SmallSegment.write(dir, golden, golden.length);
        Segment segment = Segment.open(dir, SmallSegment.ID, KeyGroupSpan.ALL);
        assertThat(segment.layout().header().compression()).isEqualTo(PageCompression.LZ4);
        segment.verifyData();
        assertThat(records(segment.runs().get(0))).isEqualTo(SmallSegment.counts());
        assertThat(records(segment.runs().get(1))).isEqualTo(SmallSegment.routes());
        segment.release();
    }

    private static List<TestRecord> records(Run run) throws IOException {
        return TestRecord.drain(run.scan(KeyGroupSpan.ALL, new StreamingPageSource()));
    }
}
