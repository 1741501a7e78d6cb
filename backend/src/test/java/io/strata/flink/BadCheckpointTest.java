/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.checkpoint.transfer.SegmentRestoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.runtime.state.BackendBuildingException;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.streaming.api.operators.TimerSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every file of a checkpoint missing, empty, cut, altered, and swapped with every other: the
 * restore fails, names the file, says what to do, and leaves the checkpoint as it was.
 */
class BadCheckpointTest {

    private static final int KEYS = 50;

    @TempDir Path local;
    @TempDir Path remote;

    private TestTasks tasks;
    private IncrementalRemoteKeyedStateHandle handle;
    private List<Path> files;

    @BeforeEach
    void takeCheckpointWithTwoSegmentsAndTimers() throws Exception {
        tasks = new TestTasks(new StrataStateBackend(), local);
        TestCheckpoints checkpoints = new TestCheckpoints(remote);
        TestTasks.Task task = tasks.start();
        write(task, 1);
        checkpoints.take(task, 1, TestCheckpoints.CHECKPOINT);
        write(task, 2);
        task.backend()
                .create(
                        "timers",
                        new TimerSerializer<>(
                                IntSerializer.INSTANCE, VoidNamespaceSerializer.INSTANCE))
                .add(new TimerHeapInternalTimer<>(1, 1, VoidNamespace.INSTANCE));
        handle = checkpoints.take(task, 2, TestCheckpoints.CHECKPOINT);
        task.end();
        files = TestCoordinator.filesOf(handle);
        assertThat(files).hasSize(4);
    }

    @AfterEach
    void leavesNothing() {
        tasks.close();
        assertThat(local).isEmptyDirectory();
    }

    @Test
    void namesAFileThatIsMissing() throws Exception {
        for (Path file : files) {
            byte[] bytes = Files.readAllBytes(file);
            Files.delete(file);
            assertRefused(file);
            Files.write(file, bytes);
        }
        assertRestores();
    }

    @Test
    void namesAFileThatIsEmptyCutOrAltered() throws Exception {
        for (Path file : files) {
            byte[] bytes = Files.readAllBytes(file);
            byte[] altered = bytes.clone();
            altered[bytes.length / 2] ^= 16;
            for (byte[] bad :
                    List.of(new byte[0], Arrays.copyOf(bytes, bytes.length - 1), altered)) {
                Files.write(file, bad);
                assertRefused(file);
            }
            Files.write(file, bytes);
        }
        assertRestores();
    }

    @Test
    void namesAFileThatIsAnother() throws Exception {
        for (Path file : files) {
            byte[] bytes = Files.readAllBytes(file);
            for (Path other : files) {
                if (!other.equals(file)) {
                    Files.write(file, Files.readAllBytes(other));
                    assertRefused(file);
                    Files.write(file, bytes);
                }
            }
        }
        assertRestores();
    }

    @Test
    void namesAFileThatIsADirectory() throws Exception {
        for (Path file : files) {
            byte[] bytes = Files.readAllBytes(file);
            Files.delete(file);
            Files.createDirectory(file);
            assertRefused(file);
            Files.delete(file);
            Files.write(file, bytes);
        }
        assertRestores();
    }

    @Test
    void namesALocalDirectoryThatIsAFile() throws Exception {
        Path file = Files.createFile(local.resolve("file"));
        Map<String, String> before = content();
        try (TestTasks elsewhere = new TestTasks(new StrataStateBackend(), file)) {
            assertThatThrownBy(() -> elsewhere.start(handle))
                    .isInstanceOf(BackendBuildingException.class)
                    .hasMessageContaining(file.toString())
                    .hasMessageContaining(StrataOptions.LOCAL_DIRECTORIES.key());
        }
        assertThat(content()).isEqualTo(before);
        Files.delete(file);
    }

    private void assertRefused(Path file) throws IOException {
        Map<String, String> before = content();
        assertThatThrownBy(() -> tasks.start(handle))
                .as("%s", file)
                .isInstanceOf(BackendBuildingException.class)
                .cause()
                .isInstanceOf(SegmentRestoreException.class)
                .hasMessageContaining(file.getFileName().toString())
                .hasMessageContaining("restore an older checkpoint");
        assertThat(content()).isEqualTo(before);
        assertThat(local).isEmptyDirectory();
    }

    private void assertRestores() throws Exception {
        TestTasks.Task task = tasks.start(handle);
        for (int key = 0; key < KEYS; key++) {
            task.backend().setCurrentKey(key);
            assertThat(counter(task).value()).isEqualTo(2);
        }
        task.end();
    }

    /** Returns the bytes of every file of the checkpoint, by its path. */
    private Map<String, String> content() throws IOException {
        Map<String, String> content = new TreeMap<>();
        for (Path file : TestCheckpoints.files(remote)) {
            content.put(file.toString(), Arrays.toString(Files.readAllBytes(file)));
        }
        return content;
    }

    private static void write(TestTasks.Task task, long value) throws Exception {
        for (int key = 0; key < KEYS; key++) {
            task.backend().setCurrentKey(key);
            counter(task).update(value);
        }
    }

    private static ValueState<Long> counter(TestTasks.Task task) throws Exception {
        return task.backend()
                .getPartitionedState(
                        VoidNamespace.INSTANCE,
                        VoidNamespaceSerializer.INSTANCE,
                        new ValueStateDescriptor<>("counter", LongSerializer.INSTANCE));
    }
}
