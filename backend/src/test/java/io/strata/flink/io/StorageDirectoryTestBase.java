/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every {@link StorageDirectory} does. */
abstract class StorageDirectoryTestBase {

    @TempDir Path temp;
    private StorageDirectory dir;

    /** Opens the directory under test at a path that does not exist yet. */
    abstract StorageDirectory open(Path root) throws IOException;

    @BeforeEach
    void open() throws IOException {
        dir = open(temp.resolve("a/b/dir"));
    }

    @AfterEach
    void close() throws IOException {
        dir.close();
    }

    @Test
    void readsWhatWasWritten() throws IOException {
        try (StorageOutput out = dir.create("f")) {
            assertThat(out.name()).isEqualTo("f");
            out.write("-hello-".getBytes(UTF_8), 1, 5);
            out.write(ByteBuffer.wrap(" wide ".getBytes(UTF_8)));
            ByteBuffer direct = ByteBuffer.allocateDirect(5).put("world".getBytes(UTF_8));
            out.write(direct.flip());
            assertThat(direct.hasRemaining()).isFalse();
            assertThat(out.position()).isEqualTo(16);
        }
        assertThat(dir.sizeBytes("f")).isEqualTo(16);
        assertThat(Files.readString(dir.path("f"))).isEqualTo("hello wide world");
        try (StorageInput in = dir.open("f")) {
            assertThat(in.name()).isEqualTo("f");
            assertThat(in.sizeBytes()).isEqualTo(16);
            assertThat(read(in, 6, 4)).isEqualTo("wide");
            assertThat(read(in, 0, 16)).isEqualTo("hello wide world");
            assertThat(read(in, 16, 0)).isEmpty();
        }
    }

    @Test
    void fillsExactlyTheRemainingBytesOfABuffer() throws IOException {
        write("f", "0123456789");
        ByteBuffer target = ByteBuffer.allocateDirect(6).limit(5).position(2);
        try (StorageInput in = dir.open("f")) {
            in.readFully(4, target);
        }
        byte[] bytes = new byte[6];
        target.clear().get(bytes);
        assertThat(bytes).containsExactly(0, 0, '4', '5', '6', 0);
    }

    @Test
    void leavesHolesWhereNothingWasWritten() throws IOException {
        try (StorageOutput out = dir.create("f")) {
            out.writeAt(100_000, "end".getBytes(UTF_8), 0, 3);
            out.write("start".getBytes(UTF_8), 0, 5);
            out.writeAt(10, "xmiddlex".getBytes(UTF_8), 1, 6);
            out.write("!".getBytes(UTF_8), 0, 1);
            assertThat(out.position()).isEqualTo(6);
        }
        assertThat(dir.sizeBytes("f")).isEqualTo(100_003);
        try (StorageInput in = dir.open("f")) {
            assertThat(read(in, 0, 16)).isEqualTo("start!\0\0\0\0middle");
            assertThat(read(in, 99_998, 5)).isEqualTo("\0\0end");
        }
    }

    @Test
    void refusesToCreateWhatExists() throws IOException {
        write("f", "kept");
        assertNames(() -> dir.create("f"), "f");
        assertThat(Files.readString(dir.path("f"))).isEqualTo("kept");
    }

    @Test
    void namesAMissingFile() {
        assertNames(() -> dir.open("gone"), "gone");
        assertNames(() -> dir.delete("gone"), "gone");
        assertNames(() -> dir.sizeBytes("gone"), "gone");
        assertThatThrownBy(() -> dir.open("gone")).isInstanceOf(FileNotFoundException.class);
        assertThat(dir.exists("gone")).isFalse();
    }

    @Test
    void namesAFileThatEndsTooEarly() throws IOException {
        write("f", "12345");
        try (StorageInput in = dir.open("f")) {
            assertThatThrownBy(() -> read(in, 3, 3))
                    .isInstanceOf(EOFException.class)
                    .hasMessageContaining(dir.path("f").toString());
            assertThat(read(in, 3, 2)).isEqualTo("45");
        }
    }

    @Test
    void listsFilesSorted() throws IOException {
        assertThat(dir.list()).isEmpty();
        write("b", "");
        write("a", "");
        write("c", "");
        dir.delete("b");
        assertThat(dir.list()).containsExactly("a", "c");
        assertThat(dir.exists("a")).isTrue();
        assertThat(dir.exists("b")).isFalse();
    }

    @Test
    void readsOnInADeletedFile() throws IOException {
        write("f", "still here");
        try (StorageInput in = dir.open("f")) {
            dir.delete("f");
            assertThat(read(in, 6, 4)).isEqualTo("here");
        }
    }

    @Test
    void refusesToReadAClosedInput() throws IOException {
        write("f", "x");
        StorageInput in = dir.open("f");
        in.close();
        in.close();
        assertNames(() -> read(in, 0, 1), "f");
    }

    @Test
    void linksOutAndIn() throws IOException {
        write("f", "content");
        Path outside = temp.resolve("x/y/linked");
        dir.linkOut("f", outside);
        dir.delete("f");
        assertThat(Files.readString(outside)).isEqualTo("content");
        dir.linkIn(outside, "g");
        assertThat(dir.sizeBytes("g")).isEqualTo(7);
        assertThatThrownBy(() -> dir.linkIn(outside, "g"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(dir.path("g").toString());
        assertThatThrownBy(() -> dir.linkOut("g", outside))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(outside.toString());
        assertThatThrownBy(() -> dir.linkIn(temp.resolve("nowhere"), "h"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nowhere");
    }

    @Test
    void triesToLinkIn() throws IOException {
        Path outside = Files.writeString(temp.resolve("outside"), "content");
        assertThat(dir.tryLinkIn(outside, "g")).isTrue();
        assertThat(Files.isSameFile(dir.path("g"), outside)).isTrue();
        assertThatThrownBy(() -> dir.tryLinkIn(outside, "g"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(dir.path("g").toString());
        assertThat(dir.tryLinkIn(temp.resolve("nowhere"), "h")).isFalse();
        assertThat(dir.exists("h")).isFalse();
        dir.delete("g");
        assertThat(Files.readString(outside)).isEqualTo("content");
    }

    @Test
    void closingDeletesEverything() throws IOException {
        write("f", "x");
        StorageInput in = dir.open("f");
        dir.close();
        assertThat(dir.path("f").getParent()).doesNotExist();
        dir.delete("f");
        assertNames(() -> dir.create("g"), "g");
        assertNames(() -> dir.open("f"), "f");
        in.close();
        dir.close();
    }

    @Test
    void readsThoughInterrupted() throws IOException {
        write("f", "0123456789");
        try (StorageInput in = dir.open("f")) {
            for (int i = 0; i < 3; i++) {
                Thread.currentThread().interrupt();
                assertThat(read(in, 2, 5)).isEqualTo("23456");
                assertThat(Thread.interrupted()).as("interrupt flag").isTrue();
            }
            assertThat(read(in, 2, 5)).isEqualTo("23456");
            assertThat(Thread.interrupted()).isFalse();
        }
    }

    @Test
    void writesThoughInterrupted() throws IOException {
        Thread.currentThread().interrupt();
        write("f", "0123456789");
        assertThat(Thread.interrupted()).as("interrupt flag").isTrue();
        assertThat(Files.readString(dir.path("f"))).isEqualTo("0123456789");
    }

    @Test
    void otherReadersSurviveAnInterrupt() throws Exception {
        write("f", "0123456789".repeat(1000));
        AtomicBoolean stop = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (StorageInput in = dir.open("f")) {
            Thread[] readers = new Thread[3];
            for (int i = 0; i < readers.length; i++) {
                readers[i] = new Thread(() -> readUntil(stop, in, failure), "reader-" + i);
                readers[i].start();
            }
            for (int i = 0; i < 300; i++) {
                readers[i % 2].interrupt();
                assertThat(read(in, i * 10L, 10)).isEqualTo("0123456789");
            }
            stop.set(true);
            for (Thread reader : readers) {
                reader.join();
            }
        }
        assertThat(failure.get()).isNull();
    }

    private static void readUntil(
            AtomicBoolean stop, StorageInput in, AtomicReference<Throwable> failure) {
        try {
            while (!stop.get()) {
                if (!read(in, 5_000, 5_000).equals("0123456789".repeat(500))) {
                    throw new AssertionError("read something else");
                }
                Thread.interrupted();
            }
        } catch (Throwable e) {
            failure.set(e);
        }
    }

    private void write(String name, String content) throws IOException {
        try (StorageOutput out = dir.create(name)) {
            byte[] bytes = content.getBytes(UTF_8);
            out.write(bytes, 0, bytes.length);
        }
    }

    private static String read(StorageInput in, long position, int length) throws IOException {
        byte[] bytes = new byte[length];
        in.readFully(position, ByteBuffer.wrap(bytes));
        return new String(bytes, UTF_8);
    }

    private void assertNames(ThrowingCallable call, String name) {
        assertThatThrownBy(call)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(dir.path(name).toString());
    }
}
