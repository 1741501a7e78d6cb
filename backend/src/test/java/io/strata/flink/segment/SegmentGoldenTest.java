/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.format.bytes.AnnotatedHex;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.io.StorageDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The bytes of version 1 are what they were when it was released.
 *
 * <p>{@code -Dstrata.golden.update=true} rewrites the golden file; a change of it after a release
 * needs a new version of the format.
 */
class SegmentGoldenTest {

    private static final Path GOLDEN = Path.of("src/test/resources/golden/segment-v1.hex");

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

    @Test
    void readsTheGoldenBytes() throws IOException {
        byte[] golden = AnnotatedHex.parse(Files.readString(GOLDEN));
        SmallSegment.write(dir, golden, golden.length);
        Segment segment = Segment.open(dir, SmallSegment.ID, KeyGroupSpan.ALL);
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

    private static List<TestRecord> records(Run run) throws IOException {
        return TestRecord.drain(run.scan(KeyGroupSpan.ALL, new StreamingPageSource()));
    }
}
