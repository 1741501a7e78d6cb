/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.checkpoint.restore.ForeignStateException;
import io.strata.flink.checkpoint.transfer.SegmentRestoreException;
import io.strata.flink.format.bytes.FormatException;
import io.strata.flink.format.bytes.FormatTooNewException;
import io.strata.flink.savepoint.SavepointImportException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.runtime.state.BackendBuildingException;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsSavepointStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a restore says of files that are damaged, of another version, or of another backend. */
class DamagedCheckpointTest {

    private static final int KEYS = 300;
    private static final int FLIPS = 40;
    private static final long SEED = 11;
    private static final int VERSION_OFFSET = Long.BYTES;

    /** Tests of other classes may have left backends behind in this process. */
    private final int usersBefore = ProcessResources.users();

    @TempDir Path local;
    @TempDir Path remote;

    private TestTasks tasks;
    private IncrementalRemoteKeyedStateHandle handle;

    @BeforeEach
    void takeCheckpoint() throws Exception {
        tasks = new TestTasks(new StrataStateBackend(), local);
        TestTasks.Task task = tasks.start();
        for (int key = 0; key < KEYS; key++) {
            task.backend().setCurrentKey(key);
            task.backend()
                    .getPartitionedState(
                            VoidNamespace.INSTANCE,
                            VoidNamespaceSerializer.INSTANCE,
                            new ValueStateDescriptor<>("counter", LongSerializer.INSTANCE))
                    .update((long) key);
        }
        handle = new TestCheckpoints(remote).take(task, 1, TestCheckpoints.CHECKPOINT);
        task.end();
    }

    @AfterEach
    void leavesNothing() {
        tasks.close();
        assertThat(local).isEmptyDirectory();
        assertThat(ProcessResources.users()).isEqualTo(usersBefore);
    }

    @Test
    void namesASegmentThatWasCut() throws Exception {
        Path segment = fileOf(segmentFile());
        byte[] bytes = Files.readAllBytes(segment);
        for (int length : new int[] {0, 1, 40, bytes.length / 2, bytes.length - 1}) {
            Files.write(segment, Arrays.copyOf(bytes, length));

            assertThatThrownBy(() -> tasks.start(handle))
                    .as("length %d", length)
                    .isInstanceOf(BackendBuildingException.class)
                    .cause()
                    .isInstanceOf(SegmentRestoreException.class)
                    .hasMessageContaining(segment.getFileName().toString())
                    .hasMessageContaining("segment ")
                    .hasCauseInstanceOf(FormatException.class);
        }
    }

    @Test
    void namesASegmentThatWasAltered() throws Exception {
        Path segment = fileOf(segmentFile());
        byte[] bytes = Files.readAllBytes(segment);
        Random random = new Random(SEED);
        for (int i = 0; i < FLIPS; i++) {
            int bit = random.nextInt(bytes.length * Byte.SIZE);
            byte[] damaged = bytes.clone();
            damaged[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
            Files.write(segment, damaged);

            assertThatThrownBy(() -> tasks.start(handle))
                    .as("seed %d, bit %d", SEED, bit)
                    .isInstanceOf(BackendBuildingException.class)
                    .cause()
                    .isInstanceOf(SegmentRestoreException.class)
                    .hasMessageContaining(segment.getFileName().toString())
                    .hasCauseInstanceOf(FormatException.class);
        }
    }

    @Test
    void namesAMissingSegment() throws Exception {
        Path segment = fileOf(segmentFile());
        Files.delete(segment);

        assertThatThrownBy(() -> tasks.start(handle))
                .isInstanceOf(BackendBuildingException.class)
                .cause()
                .isInstanceOf(SegmentRestoreException.class)
                .hasMessageContaining(segment.getFileName().toString());
    }

    @Test
    void namesMetadataThatWasCutOrAltered() throws Exception {
        Path metadata = fileOf(handle.getMetaDataStateHandle());
        byte[] bytes = Files.readAllBytes(metadata);
        Random random = new Random(SEED);
        for (int i = 0; i < FLIPS; i++) {
            byte[] damaged =
                    i % 2 == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes.clone();
            if (i % 2 == 1) {
                damaged[random.nextInt(bytes.length)] ^= 1;
            }
            Files.write(metadata, damaged);

            assertThatThrownBy(() -> tasks.start(handle))
                    .as("seed %d, case %d", SEED, i)
                    .isInstanceOf(BackendBuildingException.class)
                    .cause()
                    .isInstanceOf(SegmentRestoreException.class)
                    .hasMessageContaining(metadata.getFileName().toString())
                    .hasCauseInstanceOf(FormatException.class);
        }
    }

    @Test
    void namesANewerFormatVersion() throws Exception {
        Path metadata = fileOf(handle.getMetaDataStateHandle());
        byte[] bytes = Files.readAllBytes(metadata);
        bytes[VERSION_OFFSET]++;
        Files.write(metadata, bytes);

        assertThatThrownBy(() -> tasks.start(handle))
                .isInstanceOf(BackendBuildingException.class)
                .hasMessageContaining("newer version of Strata, upgrade")
                .cause()
                .hasCauseInstanceOf(FormatTooNewException.class);
    }

    @Test
    void namesASegmentThatTheHandleDoesNotHave() {
        IncrementalRemoteKeyedStateHandle incomplete =
                new IncrementalRemoteKeyedStateHandle(
                        UUID.randomUUID(),
                        handle.getKeyGroupRange(),
                        1,
                        List.of(HandleAndLocalPath.of(segmentFile(), "0-other.seg")),
                        List.of(),
                        handle.getMetaDataStateHandle());

        assertThatThrownBy(() -> tasks.start(incomplete))
                .isInstanceOf(BackendBuildingException.class)
                .hasCauseInstanceOf(SegmentRestoreException.class)
                .hasMessageContaining("no such file in the handle");
    }

    @Test
    void refusesACheckpointOfHashmap() {
        KeyedStateHandle foreign =
                new KeyGroupsStateHandle(offsets(), new ByteStreamStateHandle("x", new byte[1]));

        assertRefused(foreign, "hashmap");
    }

    @Test
    void refusesADamagedCanonicalSavepoint() {
        KeyedStateHandle damaged =
                new KeyGroupsSavepointStateHandle(
                        offsets(), new ByteStreamStateHandle("x", new byte[1]));

        assertThatThrownBy(() -> tasks.start(damaged))
                .isInstanceOf(BackendBuildingException.class)
                .hasCauseInstanceOf(SavepointImportException.class)
                .hasMessageContaining("'x'");
    }

    @Test
    void refusesACheckpointOfRocksDb() {
        byte[] versionOfFlinksMetadata = {0, 0, 0, 6, 0, 0, 0, 1};
        IncrementalRemoteKeyedStateHandle foreign =
                new IncrementalRemoteKeyedStateHandle(
                        UUID.randomUUID(),
                        KeyGroupRange.of(0, TestTasks.KEY_GROUPS - 1),
                        1,
                        List.of(
                                HandleAndLocalPath.of(
                                        new ByteStreamStateHandle("sst", new byte[1]),
                                        "000012.sst")),
                        List.of(
                                HandleAndLocalPath.of(
                                        new ByteStreamStateHandle("m", new byte[1]),
                                        "MANIFEST-000004")),
                        new ByteStreamStateHandle("metadata", versionOfFlinksMetadata));

        assertRefused(foreign, "rocksdb");
    }

    @Test
    void doesNotBlameAnotherBackendForDamagedMetadataOfAnEmptyState() {
        IncrementalRemoteKeyedStateHandle empty =
                new IncrementalRemoteKeyedStateHandle(
                        UUID.randomUUID(),
                        KeyGroupRange.of(0, TestTasks.KEY_GROUPS - 1),
                        1,
                        List.of(),
                        List.of(),
                        new ByteStreamStateHandle("metadata", new byte[100]));

        assertThatThrownBy(() -> tasks.start(empty))
                .isInstanceOf(BackendBuildingException.class)
                .hasCauseInstanceOf(SegmentRestoreException.class);
    }

    private void assertRefused(KeyedStateHandle foreign, String writer) {
        assertThatThrownBy(() -> tasks.start(foreign))
                .isInstanceOf(BackendBuildingException.class)
                .cause()
                .isInstanceOf(ForeignStateException.class)
                .hasMessageContaining(writer)
                .hasMessageContaining("canonical savepoint")
                .hasMessageContaining("state.backend.type");
    }

    private static KeyGroupRangeOffsets offsets() {
        return new KeyGroupRangeOffsets(KeyGroupRange.of(0, TestTasks.KEY_GROUPS - 1));
    }

    private StreamStateHandle segmentFile() {
        return handle.getSharedState().get(0).getHandle();
    }

    private static Path fileOf(StreamStateHandle file) {
        return Path.of(((FileStateHandle) file).getFilePath().toUri().getPath());
    }
}
