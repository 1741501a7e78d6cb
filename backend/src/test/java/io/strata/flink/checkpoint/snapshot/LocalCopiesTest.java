/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.checkpoint.transfer.SegmentUploader;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.io.Fault;
import io.strata.flink.io.FaultInjectingDirectory;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.io.StorageDirectory;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentOptions;
import io.strata.flink.segment.SegmentWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.apache.flink.runtime.state.IncrementalLocalKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.LocalSnapshotDirectoryProviderImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies on a disk that fails. */
class LocalCopiesTest {

    private static final SegmentId ID = new SegmentId(1, 2);

    @TempDir Path temp;

    private StorageDirectory scratch;
    private Segment segment;
    private Path copies;

    @BeforeEach
    void writeSegment() throws Exception {
        scratch = LocalStorageDirectory.create(temp.resolve("scratch"));
        try (SegmentWriter writer =
                SegmentWriter.create(scratch, ID, new SegmentOptions(1024, 10))) {
            writer.beginRun(new RunSpec("state", false, 0));
            writer.endRun();
            writer.finish();
        }
        segment = Segment.open(scratch, ID, KeyGroupSpan.ALL);
        copies = Files.createDirectories(temp.resolve("copies"));
    }

    @AfterEach
    void close() throws Exception {
        segment.release();
        scratch.close();
    }

    @Test
    void holdsEverything() throws Exception {
        IncrementalLocalKeyedStateHandle copy = copy(LocalStorageDirectory::create);

        Path directory = copy.getDirectoryStateHandle().getDirectory();
        assertThat(directory.resolve("0-segment"))
                .hasSameBinaryContentAs(scratch.path(ID.fileName()));
        assertThat(directory.resolve("timers")).hasBinaryContent(new byte[] {7});
        assertThat(directory.resolve("metadata")).hasBinaryContent(new byte[] {1, 2, 3});
        assertThat(copy.getMetaDataStateHandle().getStateSize()).isEqualTo(3);
        copy.discardState();
        assertThat(files()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.Operation.class,
            names = {"LINK", "CREATE", "WRITE", "CLOSE_OUTPUT"})
    void leavesNothingWhenTheDiskFails(Fault.Operation operation) throws Exception {
        int failing = 0;
        while (copyWithFault(operation, failing) == null) {
            assertThat(files()).as("%s %d", operation, failing).isZero();
            failing++;
        }
        assertThat(failing).isEqualTo(operation == Fault.Operation.LINK ? 1 : 2);
    }

    private IncrementalLocalKeyedStateHandle copyWithFault(Fault.Operation operation, int skip) {
        return copy(
                path -> {
                    FaultInjectingDirectory directory =
                            new FaultInjectingDirectory(LocalStorageDirectory.create(path));
                    directory.inject(Fault.once(Fault.Kind.FAIL, operation, skip));
                    return directory;
                });
    }

    private IncrementalLocalKeyedStateHandle copy(LocalCopies.Factory factory) {
        LocalSnapshotDirectoryProviderImpl provider =
                new LocalSnapshotDirectoryProviderImpl(
                        copies.toFile(), new JobID(), new JobVertexID(), 0);
        return new LocalCopies(provider, factory, UUID.randomUUID())
                .copy(
                        new LocalCopies.Content(
                                1,
                                KeyGroupRange.of(0, 1),
                                Map.of("0-segment", new SegmentUploader.Source(segment, scratch)),
                                List.of(),
                                out -> out.write(7),
                                new byte[] {1, 2, 3}));
    }

    private long files() throws Exception {
        try (var paths = Files.walk(copies)) {
            return paths.filter(Files::isRegularFile).count();
        }
    }
}
