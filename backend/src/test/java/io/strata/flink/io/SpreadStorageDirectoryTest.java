/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.io.Fault.Kind;
import io.strata.flink.io.Fault.Operation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadStorageDirectoryTest extends StorageDirectoryTestBase {

    private static final long GIB = 1L << 30;

    private FaultInjectingDirectory first;
    private FaultInjectingDirectory second;

    @Override
    StorageDirectory open(Path root) throws IOException {
        first = new FaultInjectingDirectory(LocalStorageDirectory.create(root));
        Path other = root.resolveSibling("other");
        second = new FaultInjectingDirectory(LocalStorageDirectory.create(other));
        return new SpreadStorageDirectory(List.of(first, second));
    }

    private StorageDirectory create(long firstFree, long secondFree) throws IOException {
        StorageDirectory spread = open(temp.resolve("spread"));
        first.setFreeBytes(firstFree);
        second.setFreeBytes(secondFree);
        return spread;
    }

    /** Large and small files, of which some go again: what is there is spread within a file. */
    @Test
    void equalDisksHoldEqualBytes() throws IOException {
        try (StorageDirectory spread = create(100 * GIB, 101 * GIB)) {
            for (int i = 0; i < 60; i++) {
                write(spread, "f" + i, 1 + i * 7 % 50);
                if (i % 3 == 2) {
                    spread.delete("f" + (i - 1));
                }
            }
            assertThat(bytes(first) - bytes(second)).isBetween(-50L, 50L);
            assertThat(spread.list()).hasSize(40);
        }
    }

    /** Free space sinks with what is written, until it is the same everywhere. */
    @Test
    void theDiskWithMoreSpaceIsFilledFirst() throws IOException {
        try (StorageDirectory spread = create(1_000, 3_000)) {
            for (int i = 0; i < 30; i++) {
                write(spread, "f" + i, 100);
                first.setFreeBytes(1_000 - bytes(first));
                second.setFreeBytes(3_000 - bytes(second));
            }
            assertThat(bytes(second) - bytes(first)).isBetween(1_800L, 2_200L);
        }
    }

    @Test
    void aFullDiskIsNamedAndPassedOverNextTime() throws IOException {
        try (StorageDirectory spread = create(1_000, 500)) {
            first.inject(Fault.always(Kind.FILL, Operation.WRITE));
            first.setFreeBytes(0);
            second.setFreeBytes(0);
            assertThatThrownBy(() -> write(spread, "f", 10))
                    .isInstanceOf(DiskFullException.class)
                    .hasMessageContaining(first.path("f").getParent().toString())
                    .hasMessageContaining("bytes are free")
                    .hasMessageContaining("No space left on device");
            second.setFreeBytes(500);
            write(spread, "g", 10);
            assertThat(second.list()).containsExactly("g");
        }
    }

    /** A name that could not be made is free again. */
    @Test
    void aFailedFileLeavesItsName() throws IOException {
        try (StorageDirectory spread = create(GIB, GIB)) {
            first.inject(Fault.once(Kind.FAIL, Operation.CREATE, 0));
            assertThatThrownBy(() -> spread.create("f")).isInstanceOf(IOException.class);
            write(spread, "f", 1);
            assertThat(spread.exists("f")).isTrue();
        }
    }

    private static void write(StorageDirectory directory, String name, int bytes)
            throws IOException {
        try (StorageOutput out = directory.create(name)) {
            out.write(new byte[bytes], 0, bytes);
        }
    }

    private static long bytes(StorageDirectory directory) throws IOException {
        long bytes = 0;
        for (String name : directory.list()) {
            bytes += directory.sizeBytes(name);
        }
        return bytes;
    }
}
