/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.BackendBuildingException;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsSavepointStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of canonical savepoints that are cut or altered. The format has no checksums, so not every
 * change can be told; but whatever a file holds, it is restored or refused by name, and nothing
 * stays behind.
 */
class DamagedSavepointTest {

    private static final String FILE = "the-file";
    private static final int KEY_GROUPS = 4;

    @TempDir Path directory;

    private ImportJob<Long> job;
    private byte[] file;
    private long[] offsets;
    private int firstKeyGroup;

    @BeforeEach
    void writeSavepoint() throws Exception {
        job = new ImportJob<>(LongSerializer.INSTANCE, KEY_GROUPS, directory, false);
        job.restart(new HashMapStateBackend(), 1, List.of());
        for (long key = 0; key < 30; key++) {
            value(key).update("v" + key);
        }
        KeyGroupsSavepointStateHandle handle =
                (KeyGroupsSavepointStateHandle) job.canonicalSavepoint().get(0);
        file = ((ByteStreamStateHandle) handle.getDelegateStateHandle()).getData();
        offsets = new long[KEY_GROUPS];
        for (int keyGroup = 0; keyGroup < KEY_GROUPS; keyGroup++) {
            offsets[keyGroup] = handle.getOffsetForKeyGroup(keyGroup);
            assertThat(offsets[keyGroup]).isPositive();
        }
        firstKeyGroup = (int) offsets[0];
    }

    @AfterEach
    void leavesNothing() throws Exception {
        job.close();
    }

    @Test
    void refusesAFileThatIsCutAnywhere() throws Exception {
        for (int length = 0; length < file.length; length++) {
            assertRefused(Arrays.copyOf(file, length), "");
        }
    }

    @Test
    void restoresOrRefusesAFileWithAnyByteAltered() throws Exception {
        int refused = 0;
        for (int i = 0; i < file.length; i++) {
            byte[] altered = file.clone();
            altered[i] ^= (byte) (1 << i % Byte.SIZE);
            Throwable failure = catchThrowable(() -> restore(altered));
            if (failure != null) {
                refused++;
                assertThat(failure).as("byte %d", i).isInstanceOf(BackendBuildingException.class);
                if (i >= firstKeyGroup) {
                    assertThat(failure).hasCauseInstanceOf(SavepointImportException.class);
                }
                assertThat(job.strataFiles()).isEmpty();
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void refusesAnUnknownState() throws Exception {
        byte[] altered = file.clone();
        altered[(int) offsets[1] + 1] = 9;

        assertRefused(altered, "state id in key group 1: expected less than 1");
    }

    @Test
    void refusesAnEntryOutsideItsKeyGroup() throws Exception {
        byte[] altered = file.clone();
        altered[(int) offsets[2] + Short.BYTES + Integer.BYTES] ^= 3;

        assertRefused(altered, "key-group prefix of 1 byte(s) in key group 2: expected 2, found 1");
    }

    @Test
    void doesNotBelieveALengthThatTheFileDoesNotHave() throws Exception {
        byte[] altered = file.clone();
        altered[(int) offsets[3] + Short.BYTES] = Byte.MAX_VALUE;

        assertRefused(altered, "key group 3: expected more bytes, found the end of the file");
    }

    @Test
    void refusesAKeyThatComesTwice() throws Exception {
        byte[] first = entry(1, 5, "a", false);
        byte[] twice = keyGroup(first, entry(1, 6, "b", false), entry(1, 5, "c", true));

        for (int sortBytes : new int[] {1, SavepointImport.SORT_BYTES}) {
            assertThatThrownBy(() -> restore(twice, 1, sortBytes))
                    .hasCauseInstanceOf(SavepointImportException.class)
                    .hasMessageContaining("keys of state 'value' in key group 1");
        }
    }

    @Test
    void refusesASavepointOfAnotherMaximumParallelism() throws Exception {
        List<KeyedStateHandle> savepoint = List.of(handle(file, offsets));
        try (ImportJob<Long> other =
                new ImportJob<>(LongSerializer.INSTANCE, 4096, directory, false)) {
            assertThatThrownBy(() -> other.restart(other.strata(1), 1, savepoint))
                    .hasCauseInstanceOf(SavepointImportException.class)
                    .hasMessageContaining("another maximum parallelism");
        }
    }

    @Test
    void refusesTwoFilesWithTheSameKeyGroups() {
        List<KeyedStateHandle> twice = List.of(handle(file, offsets), handle(file, offsets));

        assertThatThrownBy(() -> job.restart(job.strata(1), 1, twice))
                .isInstanceOf(BackendBuildingException.class)
                .hasMessageContaining("Two files of the savepoint hold the same key groups");
    }

    private void assertRefused(byte[] altered, String reason) throws Exception {
        assertThatThrownBy(() -> restore(altered))
                .isInstanceOf(BackendBuildingException.class)
                .hasCauseInstanceOf(SavepointImportException.class)
                .hasMessageContaining(FILE)
                .hasMessageContaining(reason);
        assertThat(job.strataFiles()).isEmpty();
    }

    private void restore(byte[] altered) throws Exception {
        job.restart(job.strata(SavepointImport.SORT_BYTES), 1, List.of(handle(altered, offsets)));
    }

    /** Restores a savepoint of one key group with the metadata of the file. */
    private void restore(byte[] keyGroupBytes, int keyGroup, int sortBytes) throws Exception {
        byte[] made = Arrays.copyOf(file, firstKeyGroup + keyGroupBytes.length);
        System.arraycopy(keyGroupBytes, 0, made, firstKeyGroup, keyGroupBytes.length);
        long[] only = new long[KEY_GROUPS];
        only[keyGroup] = firstKeyGroup;
        job.restart(job.strata(sortBytes), 1, List.of(handle(made, only)));
    }

    private static KeyedStateHandle handle(byte[] bytes, long[] offsets) {
        return new KeyGroupsSavepointStateHandle(
                new KeyGroupRangeOffsets(KeyGroupRange.of(0, KEY_GROUPS - 1), offsets),
                new ByteStreamStateHandle(FILE, bytes));
    }

    private static byte[] keyGroup(byte[]... entries) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        out.writeShort(0);
        for (byte[] entry : entries) {
            out.write(entry);
        }
        out.writeShort(0xFFFF);
        return out.getCopyOfBuffer();
    }

    private static byte[] entry(int keyGroup, long key, String value, boolean last)
            throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        out.writeInt(1 + Long.BYTES + 1);
        out.writeByte(last ? keyGroup | 0x80 : keyGroup);
        out.writeLong(key);
        VoidNamespaceSerializer.INSTANCE.serialize(VoidNamespace.INSTANCE, out);
        DataOutputSerializer bytes = new DataOutputSerializer(64);
        StringSerializer.INSTANCE.serialize(value, bytes);
        out.writeInt(bytes.length());
        out.write(bytes.getCopyOfBuffer());
        return out.getCopyOfBuffer();
    }

    private ValueState<String> value(long key) throws Exception {
        AbstractKeyedStateBackend<Long> task = job.taskOf(key);
        task.setCurrentKey(key);
        return task.getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new ValueStateDescriptor<>("value", StringSerializer.INSTANCE));
    }
}
