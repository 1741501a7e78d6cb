/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LocalStorageDirectoryTest extends StorageDirectoryTestBase {

    @Override
    StorageDirectory open(Path root) throws IOException {
        return LocalStorageDirectory.create(root);
    }

    @Test
    void refusesAPlaceThatIsNotItsOwn() throws IOException {
        Path full = Files.createDirectories(temp.resolve("full"));
        Path file = Files.writeString(full.resolve("somebody's"), "x");
        assertThatThrownBy(() -> LocalStorageDirectory.create(full))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(full.toString())
                .hasMessageContaining("not empty");
        assertThatThrownBy(() -> LocalStorageDirectory.create(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString());
        assertThatThrownBy(() -> LocalStorageDirectory.create(file.resolve("below")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString());
    }

    /** An archive is another file system: no link can lead there. */
    @Test
    void copiesWhereLinksAreNotPossible() throws IOException {
        StorageDirectory dir = LocalStorageDirectory.create(temp.resolve("dir"));
        try (StorageOutput out = dir.create("f")) {
            out.write(new byte[] {1, 2, 3}, 0, 3);
        }
        Path archive = temp.resolve("archive.zip");
        try (FileSystem other = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
            Path outside = other.getPath("/below/f");
            dir.linkOut("f", outside);

            assertThat(Files.readAllBytes(outside)).containsExactly(1, 2, 3);
        }
    }
}
