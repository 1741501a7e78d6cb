/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.checkpoint.files.SnapshotMetadata;
import io.strata.flink.checkpoint.files.SnapshotMetadataFormat;
import io.strata.flink.checkpoint.transfer.RestoreCounters;
import io.strata.flink.engine.StoreManifest;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.filemerging.LogicalFile.LogicalFileId;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.filemerging.SegmentFileStateHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading the metadata of a handle from Flink's kinds of files. */
class HandleReaderTest {

    private static final int BEFORE_BYTES = 100;
    private static final int LONG_BYTES = 50_000;

    @TempDir private Path directory;

    /** The stream of a merged file takes a request for zero bytes for the end of the file. */
    @Test
    void readsLongMetadataOutOfAMergedFile() throws Exception {
        byte[] flinkMetadata = new byte[LONG_BYTES];
        new Random(1).nextBytes(flinkMetadata);
        SnapshotMetadata written =
                new SnapshotMetadata(
                        flinkMetadata,
                        new StoreManifest(List.of(), List.of()),
                        List.of(),
                        false,
                        List.of());
        byte[] bytes = SnapshotMetadataFormat.encode(written);
        ByteBuffer merged = ByteBuffer.allocate(BEFORE_BYTES + bytes.length + BEFORE_BYTES);
        merged.position(BEFORE_BYTES).put(bytes);
        Path file = Files.write(directory.resolve("merged"), merged.array());

        SegmentFileStateHandle metadata =
                new SegmentFileStateHandle(
                        new org.apache.flink.core.fs.Path(file.toUri()),
                        BEFORE_BYTES,
                        bytes.length,
                        CheckpointedStateScope.EXCLUSIVE,
                        LogicalFileId.generateRandomId());
        IncrementalRemoteKeyedStateHandle handle =
                new IncrementalRemoteKeyedStateHandle(
                        UUID.randomUUID(),
                        new KeyGroupRange(0, 1),
                        1,
                        List.of(),
                        List.of(),
                        metadata);

        try (CloseableRegistry cancellation = new CloseableRegistry()) {
            SnapshotMetadata read =
                    new HandleReader(cancellation, new RestoreCounters()).readMetadata(handle);
            assertThat(read.flinkMetadata()).isEqualTo(flinkMetadata);
        }
    }
}
